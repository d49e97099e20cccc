import type { RestClient } from '../../../web/src/api/rest_client';
import type { HistoryMessage, RunSummary } from '../../../web/src/api/rest_types';
import { createStoredTurns } from '../../../web/src/chat/stored_turns';

const RUNS = ['run_6', 'run_5', 'run_4', 'run_3', 'run_2', 'run_1'];

const messagesOf = (runId: string): HistoryMessage[] => [
  { id: `${runId}_b`, runId, role: 'assistant', content: 'Done.', createdAt: '' },
  { id: `${runId}_a`, runId, role: 'user', content: `Task of ${runId}`, createdAt: '' },
];

const pageOf = <T>(rows: readonly T[], cursor: string | undefined, size: number) => {
  const end = Number(cursor ?? 0) + size;
  return { data: rows.slice(end - size, end), ...(end < rows.length && { nextCursor: String(end) }) };
};

/** Serves pages of four messages and two runs; the n-th request of the list `failing` fails. */
function startRest(failing: 'messages' | 'runs', n: number) {
  const requests = { messages: 0, runs: 0 };
  const failWhenDue = (list: typeof failing) => {
    requests[list] += 1;
    if (list === failing && requests[list] === n) throw new Error('The network failed.');
  };
  const messages = RUNS.flatMap(messagesOf);
  const runs = RUNS.map((runId): RunSummary => ({ runId, status: 'failed' }));
  return {
    async listMessages(_id: string, { cursor }: { cursor?: string | undefined } = {}) {
      failWhenDue('messages');
      return pageOf(messages, cursor, 4);
    },
    async listRuns(_id: string, cursor?: string) {
      failWhenDue('runs');
      return pageOf(runs, cursor, 2);
    },
  } as unknown as RestClient;
}

it.each([
  ['messages', 2],
  ['messages', 3],
  ['runs', 2],
  ['runs', 3],
] as const)('shows every turn once after a failed request for %s, number %i', async (list, n) => {
  const stored = createStoredTurns(startRest(list, n), 'ses_1');
  const shown: string[] = [];
  let failures = 0;
  while (stored.hasEarlier()) {
    try {
      shown.unshift(...(await stored.readEarlier()).map(({ runId, state }) => `${runId} ${state}`));
    } catch {
      failures += 1;
    }
  }
  expect(shown).toEqual(RUNS.toReversed().map(runId => `${runId} failed`));
  expect(failures).toBe(1);
});
