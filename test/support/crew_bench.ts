/** A gateway with a crew: the default agent leads `scout`, `smith` and `asker`. */

import { type AgentBench, MODEL_KEY, startBench } from './agent_bench';
import { type AgentConfig, createProfiles } from './agent_config';
import { type Gateway, type GatewayOptions, startGateway } from './gateway';
import type { ScriptedCall } from './mock_model';
import type { PageBody } from './rest_client';

const CREW_PROFILES = {
  default: 'members: [scout, smith, asker]',
  scout: 'description: Looks around and\n  reports.\ntoolsets: [base, planning, interaction, data]',
  smith: 'description: Changes files.\nmaxToolIterations: 2',
  asker: 'description: Asks its lead.\ntoolsets: [base]\ntools: [escalate]',
};

export interface ChildRow {
  runId: string;
  sessionId: string;
  parentRunId: string;
  parentSessionId: string;
  status: string;
  door: string;
  agent: string;
  text: string;
}

export interface CrewBench extends AgentBench {
  /** The child runs of a run, oldest first. */
  childrenOf(runId: string): Promise<ChildRow[]>;
  /** Starts another gateway on the same data, agents and model. */
  startAnother(): Promise<Gateway>;
}

/** `prepare` writes more files into the configuration directory. */
export async function startCrewBench(
  options: GatewayOptions = {},
  profiles: Record<string, string> = CREW_PROFILES,
  prepare: (directory: string) => Promise<void> = async () => {},
): Promise<CrewBench> {
  const config: AgentConfig = await createProfiles(profiles);
  await prepare(config.directory);
  const bench = await startBench({ ...options, env: { NETA_CONFIG_DIR: config.directory, ...options.env } });
  return {
    ...bench,
    async childrenOf(runId) {
      const { body } = await bench.rest.request<PageBody<ChildRow>>('GET', `/runs?parent=${runId}`);
      return body.data.reverse();
    },
    startAnother() {
      const { dataDir, workspace } = bench.gateway;
      const env = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, NETA_CONFIG_DIR: config.directory };
      return startGateway({ env: { ...env, NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace } });
    },
    async stop() {
      await bench.stop();
      await config.remove();
    },
  };
}

export const delegate = (task: string, more: Record<string, unknown> = {}): { toolCalls: ScriptedCall[] } => ({
  toolCalls: [{ name: 'delegate_task', arguments: { task, ...more } }],
});

export const delegateAll = (tasks: Record<string, unknown>[]): { toolCalls: ScriptedCall[] } => ({
  toolCalls: [{ name: 'delegate_parallel', arguments: { tasks } }],
});
