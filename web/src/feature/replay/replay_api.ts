/** The routes of replays and suites. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

export type Replay = Answer<'Replay'>;
export type Suite = Answer<'Suite'>;
export type SuiteCase = Answer<'SuiteCase'>;
export type SuiteResult = Answer<'SuiteResult'>;
export type CaseResult = SuiteResult['cases'][number];
export type CheckResult = CaseResult['checks'][number];

const suitePath = (name: string): string => `/suites/${encodeURIComponent(name)}`;

export interface ReplayOptions {
  /** '': the recorded answers are used. */
  model: string;
  /** '': the agent of the run. */
  agent: string;
  /** '': the prompt of today. */
  prompt: string;
  /** A call that only reads and is not recorded runs. */
  isLive: boolean;
}

/** `isForeign`: the run belongs to another tenant. */
export const replayRun = (
  runId: string,
  { model, agent, prompt, isLive }: ReplayOptions,
  { isForeign }: { isForeign: boolean },
): Promise<Replay> =>
  callRest('POST', `${isForeign ? '/ops' : ''}/runs/${encodeURIComponent(runId)}/replay`, {
    model: model || undefined,
    agent: agent || undefined,
    prompt: prompt || undefined,
    liveTools: isLive ? 'read' : undefined,
  });

export const listAgents = async (): Promise<readonly string[]> =>
  (await callRest<{ data: readonly { name: string }[] }>('GET', '/agents')).data.map(({ name }) => name);

export const listModels = async (): Promise<readonly string[]> =>
  (await callRest<{ data: readonly { id: string }[] }>('GET', '/models')).data.map(({ id }) => id);

export const listSuites = async (): Promise<readonly Suite[]> => (await callRest<{ data: readonly Suite[] }>('GET', '/suites')).data;

export const readSuite = async (name: string): Promise<readonly SuiteCase[]> =>
  (await callRest<{ cases: readonly SuiteCase[] }>('GET', suitePath(name))).cases;

export const runSuite = (name: string, model: string): Promise<SuiteResult> =>
  callRest('POST', `${suitePath(name)}/run`, { model: model || undefined });

/** Runs one case again. */
export const runCase = (name: string, id: string, model: string): Promise<SuiteResult> =>
  callRest('POST', `${suitePath(name)}/cases/${encodeURIComponent(id)}/run`, { model: model || undefined });

export interface NewCase {
  runId: string;
  name: string;
  title?: string;
  checks?: SuiteCase['checks'];
}

export const addCase = (added: NewCase): Promise<SuiteCase> => callRest('POST', '/suites', added);

export const deleteSuite = (name: string): Promise<unknown> => callRest('DELETE', suitePath(name));

export const deleteCase = (name: string, id: string): Promise<unknown> =>
  callRest('DELETE', `${suitePath(name)}/cases/${encodeURIComponent(id)}`);
