/** Builds the services of operators. */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { LogError, LogTail } from '../../port/logger';
import type { Observer } from '../../port/observer';
import { type Actor, DEFAULT_TENANT, LOCAL_KEY_NAME } from '../../port/principal';
import type { Shell } from '../../port/shell';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { ToolRegistry } from '../../tools/registry';
import type { AssembledAgent } from '../agent/agent_directory';
import type { KeyRing } from '../auth/key_ring';
import { Switches } from '../limits/switches';
import type { ModelCatalog } from '../model/model_catalog';
import type { RunService } from '../run_log/run_service';
import type { ConnectionRow } from './connection_rows';
import type { OpsDeps, OpsView } from './ops_deps';
import { OpsService } from './ops_service';
import { ReadinessService } from './readiness_service';
import { Refusals } from './refusals';
import { RunActivity } from './run_activity';
import type { Warnings } from './warnings';

/** The sockets of this process, as the door tells of them. */
export interface OpsSockets {
  list: () => ConnectionRow[];
  /** Ends a connection. */
  disconnect: (id: string) => void;
}

/** `onWanted.write`: set by `createOpsServices`. */
interface OperatorSwitches {
  switches: Switches;
  onWanted: { write: () => Promise<void> };
}

interface SwitchesDeps {
  store: Store;
  clock: Clock;
  identity: InstanceId;
  tools: ToolRegistry;
  onError: LogError;
}

interface OpsBaseDeps extends OperatorSwitches {
  models: ModelCatalog;
  agentFor: (run: RunRecord) => AssembledAgent;
  clock: Clock;
  observer: Observer;
}

/** The parts of the operator services that other services need: the switches, and the followers of runs. */
export interface OpsBase extends OperatorSwitches {
  runActivity: RunActivity;
  refusals: Refusals;
  /** The sockets of this process; the socket door sets it. */
  sockets: OpsSockets;
}

/** Builds the switches. Agents ask them, so they are built before the agents. */
export function createSwitches(deps: SwitchesDeps): OperatorSwitches {
  const onWanted = { write: async () => {} };
  const switches = new Switches({ ...deps, onToolsChanged: () => deps.tools.noteChange(), onWanted: () => onWanted.write() });
  return { switches, onWanted };
}

/** Builds the parts that other services need. */
export function createOpsBase(deps: OpsBaseDeps): OpsBase {
  const runActivity = new RunActivity({
    ...deps,
    modelOf: run => deps.models.shownName(run.model ?? deps.agentFor(run).profile.model),
  });
  deps.observer.listen(runActivity.listenToModels());
  return {
    switches: deps.switches,
    onWanted: deps.onWanted,
    runActivity,
    refusals: new Refusals(deps),
    sockets: { list: () => [], disconnect: () => {} },
  };
}

export interface OpsServicesDeps
  extends Omit<
    OpsDeps,
    | keyof OpsBase
    | 'connections'
    | 'disconnect'
    | 'logTail'
    | 'readiness'
    | 'watchersOf'
    | 'listActors'
    | 'onAccept'
    | 'runLimits'
    | 'maxToolIterations'
    | 'listSettings'
  > {
  shell: Shell;
  logger: { tail: LogTail };
  settings: Pick<OpsDeps, 'listSettings'> & { maxToolIterations: number; limits: OpsDeps['runLimits']; warnings: readonly string[] };
  limitsSupervisor: Warner;
  embeddings: { listWarnings: () => readonly string[] };
  warnings: Warnings;
  runService: RunService;
  keyRing: KeyRing;
  acceptHooks: readonly (() => void)[];
}

/** A service that knows of mistakes which an operator should mend. */
interface Warner {
  warnings: () => readonly string[];
}

/** Builds the services of operators on top of `base`. */
export function createOpsServices(base: OpsBase, deps: OpsServicesDeps) {
  const { modelSupervisor, limitsSupervisor, agents, toolProblems, warnings, embeddings, settings, configReloads } = deps;
  warnings.add(() => settings.warnings);
  for (const service of [modelSupervisor, limitsSupervisor, agents, configReloads]) warnings.add(() => service.warnings());
  warnings.add(() => embeddings.listWarnings());
  const readiness = new ReadinessService({
    ...deps,
    listWarnings: () => [...warnings.list(), ...toolProblems.list()],
  });
  const service = new OpsService({
    ...deps,
    ...base,
    readiness,
    maxToolIterations: settings.maxToolIterations,
    listSettings: settings.listSettings,
    runLimits: { concurrentRuns: settings.limits.concurrentRuns, queuedRuns: settings.limits.queuedRuns },
    logTail: deps.logger.tail,
    connections: () => base.sockets.list(),
    disconnect: ({ tenantId }, id) => {
      const found = base.sockets.list().find(row => row.id === id && (tenantId === undefined || row.tenantId === tenantId));
      if (found) base.sockets.disconnect(found.id);
      return found !== undefined;
    },
    watchersOf: sessionId => deps.runService.countReaders(sessionId),
    listActors: view => actorsOf(deps.keyRing, view),
    onAccept: () => {
      for (const tell of deps.acceptHooks) tell();
    },
  });
  base.onWanted.write = () => service.writeFigures();
  return {
    readinessService: readiness,
    opsService: service,
    switches: base.switches,
    refusals: base.refusals,
    opsSockets: base.sockets,
  };
}

function actorsOf(keys: KeyRing, { tenantId }: OpsView): Actor[] {
  const known = keys.listKeys().map(({ name, tenantId: tenant }) => ({ tenantId: tenant, keyName: name }));
  const all = [...known, ...(keys.local ? [{ tenantId: DEFAULT_TENANT, keyName: LOCAL_KEY_NAME }] : [])];
  return tenantId === undefined ? all : all.filter(actor => actor.tenantId === tenantId);
}
