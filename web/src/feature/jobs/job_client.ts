/** The jobs of the REST API. Every failure rejects with a RequestError, whose `param` names the field. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { SharingChange } from '../../components/people/use_sharing';
import type { Locale } from '../../platform/preferences';
import type { Job, JobInput, JobRun } from './job_types';

/** The most jobs of one request: more than the 50 jobs that a tenant may have, so one request reads all. */
const MAX_JOBS = 100;
const RUNS_PER_PAGE = 10;

const pathOf = (id: string, rest = ''): string => `/jobs/${encodeURIComponent(id)}${rest}`;

export const jobClient = {
  list: (): Promise<Page<Job>> => callRest('GET', `/jobs?limit=${MAX_JOBS}`),
  create: (input: JobInput & { locale: Locale }): Promise<Job> => callRest('POST', '/jobs', input),
  change: (id: string, change: Partial<JobInput> & { enabled?: boolean }): Promise<Job> => callRest('PATCH', pathOf(id), change),
  /** Changes who sees the job. Resolves undefined when this person no longer does. */
  share: (id: string, change: SharingChange): Promise<Job | undefined> => callRest('PATCH', pathOf(id), change),
  remove: (id: string): Promise<void> => callRest('DELETE', pathOf(id)),
  runNow: (id: string): Promise<{ runId: string; sessionId: string }> => callRest('POST', pathOf(id, '/run')),
  /** Newest first. */
  listRuns: (id: string, cursor?: string): Promise<Page<JobRun>> =>
    callRest('GET', `${pathOf(id, '/runs')}?limit=${RUNS_PER_PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),
};
