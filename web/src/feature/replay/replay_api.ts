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

/** Without a model the recorded answers are used. An empty prompt is today's prompt. */
export const replayRun = (runId: string, { model, prompt }: { model: string; prompt: string }): Promise<Replay> =>
  callRest('POST', `/runs/${encodeURIComponent(runId)}/replay`, { model: model || undefined, prompt: prompt || undefined });

export const listModels = async (): Promise<readonly string[]> =>
  (await callRest<{ data: readonly { id: string }[] }>('GET', '/models')).data.map(({ id }) => id);

export const listSuites = async (): Promise<readonly Suite[]> => (await callRest<{ data: readonly Suite[] }>('GET', '/suites')).data;

export const readSuite = async (name: string): Promise<readonly SuiteCase[]> =>
  (await callRest<{ cases: readonly SuiteCase[] }>('GET', suitePath(name))).cases;

export const runSuite = (name: string, model: string): Promise<SuiteResult> =>
  callRest('POST', `${suitePath(name)}/run`, { model: model || undefined });

export interface NewCase {
  runId: string;
  name: string;
  title?: string;
  checks?: SuiteCase['checks'];
}

export const addCase = (added: NewCase): Promise<SuiteCase> => callRest('POST', '/suites', added);

export const deleteCase = (name: string, id: string): Promise<unknown> =>
  callRest('DELETE', `${suitePath(name)}/cases/${encodeURIComponent(id)}`);
