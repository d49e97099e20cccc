/** A feature is a part that hangs on the core, and can be read, tested and left out alone. */
import { createConfiguration, type FunctionalConfiguration, type IMidwayContainer } from '@midwayjs/core';
import type { Settings } from '../config/settings';
import type { Ports } from './ports';
import type { AgentDirectory } from './service/agent/agent_directory';
import type { ConfigReloads } from './service/audit/config_reloads';
import type { ChildRuns } from './service/run/child_runs';
import type { RunAdmission } from './service/run/run_admission';
import type { RunCapacity } from './service/run/run_capacity';
import type { RunCrew } from './service/run/run_crew';
import type { RemoteRunPoller } from './service/run_log/remote_run_poller';
import type { ToolRegistry } from './tools/registry';

/** A class with `@Controller`. */
export type Controller = new () => object;

/** The folder `src/feature/<name>/` exports one of these from its feature.ts. Only features.ts imports it. */
export interface Feature {
  /** The name of the folder. */
  name: string;
  /** Controllers of the feature's routes; each method that serves a route has the decorator `@Serve` with its row. */
  routes?: readonly Controller[];
  /** Builds its services. Called once, before the framework starts. */
  install?(core: Core): FeatureParts;
}

/** The services of the core that a feature may use. */
export interface Core {
  settings: Settings;
  ports: Ports;
  tools: ToolRegistry;
  configReloads: ConfigReloads;
}

/** The services of runs, for a feature that starts runs from inside a run. */
export interface RunCore {
  agents: AgentDirectory;
  admission: RunAdmission;
  capacity: RunCapacity;
  remoteRuns: RemoteRunPoller;
  children: ChildRuns;
}

/** An installed feature gives these functions to the core. */
export interface FeatureParts {
  /** Called in the order of the list, after the classes of tools are made and before agents are checked and runs are recovered. */
  start?(): Promise<void>;
  /** Called in the opposite order, after runs and connections have ended, while the store is still open. */
  stop?(): Promise<void>;
  /** Builds what lets an agent lead a crew. Called once, with the services of runs; at most one feature has it. */
  createCrew?(runs: RunCore): RunCrew;
  /** A sentence for each mistake in the files that bring tools. */
  toolProblems?(): readonly string[];
}

/** Name of a feature -> its parts. */
export type InstalledFeatures = ReadonlyMap<string, FeatureParts>;

export const installFeatures = (features: readonly Feature[], core: Core): InstalledFeatures =>
  new Map(features.map(feature => [feature.name, feature.install?.(core) ?? {}]));

/** The crew of a gateway without that feature: no run has members. */
const NO_CREW: RunCrew = { accessFor: () => undefined, endChildren: async () => {} };

export const createCrew = (features: InstalledFeatures, runs: RunCore): RunCrew =>
  [...features.values()].find(parts => parts.createCrew)?.createCrew?.(runs) ?? NO_CREW;

/** A Midway application takes such objects in its `imports`. */
type Component = { Configuration: FunctionalConfiguration } & Record<string, object>;

/** Makes the Midway component of a feature: the framework binds its controllers, starts it and stops it. */
export function componentOf({ name, routes = [] }: Feature): Component {
  const partsIn = (container: IMidwayContainer) => container.get<InstalledFeatures>('features').get(name);
  const component = createConfiguration({ namespace: name });
  component.onReady(container => partsIn(container)?.start?.());
  component.onStop(container => partsIn(container)?.stop?.());
  return { Configuration: component, ...Object.fromEntries(routes.map(route => [route.name, route])) };
}
