import type { MessageHit, Page, SessionSummary } from '../../../../web/src/api/rest_types';
import { createSearchRequests, TYPING_PAUSE_MS } from '../../../../web/src/feature/search/search_requests';

interface Asked {
  query: string;
  cursor: string | undefined;
  answer(page: Page<MessageHit>): void;
  fail(): void;
}

const hit = (text: string): MessageHit => ({ sessionId: 's', title: 't', runId: 'r', role: 'user', snippet: text, at: '', score: 1 });
const session = (title: string): SessionSummary => ({ id: title, title, createdAt: '', updatedAt: '' });

/** The test answers the searches of messages by hand; those of titles answer at once. */
function startSearch() {
  jest.useFakeTimers();
  const asked: Asked[] = [];
  const requests = createSearchRequests({
    searchSessions: async query => ({ data: [session(query)] }),
    searchPrompts: async () => ({ data: [] }),
    searchMessages: (query, _filter, cursor) =>
      new Promise((resolve, reject) => asked.push({ query, cursor, answer: resolve, fail: () => reject(new Error('no')) })),
  });
  const type = async (text: string) => {
    requests.type(text);
    await jest.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
  };
  const settle = () => jest.advanceTimersByTimeAsync(0);
  const last = () => {
    const request = asked.at(-1);
    if (!request) throw new Error('no request');
    return request;
  };
  return { requests, asked, last, type, settle, shown: () => requests.state.get() };
}

afterEach(() => jest.useRealTimers());

describe('the requests of the search', () => {
  it('sends one request for a word that is typed quickly, without the spaces around it', async () => {
    const { requests, asked, type } = startSearch();
    for (const text of ['h', 'ha', 'har']) requests.type(text);
    await type('  harbour  plan ');
    expect(asked.map(({ query }) => query)).toEqual(['harbour plan']);
  });

  it('ignores an older answer that arrives after a newer one', async () => {
    const { asked, type, settle, shown } = startSearch();
    await type('old');
    await type('new');
    asked[1]?.answer({ data: [hit('new hit')] });
    await settle();
    asked[0]?.answer({ data: [hit('old hit')] });
    await settle();
    expect(shown()).toMatchObject({ answered: 'new', phase: 'ready', hits: [{ snippet: 'new hit' }], sessions: [{ title: 'new' }] });
  });

  it('ignores the answer to a query that was cleared', async () => {
    const { last, type, settle, shown } = startSearch();
    await type('word');
    await type('');
    last().answer({ data: [hit('late')] });
    await settle();
    expect(shown()).toMatchObject({ phase: 'idle', hits: [] });
  });

  it('keeps the results while the next ones load, and after a failure, which can be retried', async () => {
    const { requests, last, type, settle, shown } = startSearch();
    await type('one');
    last().answer({ data: [hit('one')] });
    await settle();
    await type('two');
    expect(shown()).toMatchObject({ answered: 'one', phase: 'loading', hits: [{ snippet: 'one' }] });
    last().fail();
    await settle();
    expect(shown()).toMatchObject({ answered: 'one', phase: 'failed' });
    requests.retry();
    last().answer({ data: [hit('two')] });
    await settle();
    expect(shown()).toMatchObject({ answered: 'two', phase: 'ready', hits: [{ snippet: 'two' }] });
  });

  it('adds the next page, unless the query has changed by then', async () => {
    const { requests, asked, last, type, settle, shown } = startSearch();
    await type('word');
    last().answer({ data: [hit('a')], nextCursor: 'c1' });
    await settle();
    requests.loadMore();
    expect(asked.at(-1)).toMatchObject({ query: 'word', cursor: 'c1' });
    last().answer({ data: [hit('b')], nextCursor: 'c2' });
    await settle();
    expect(shown().hits.map(({ snippet }) => snippet)).toEqual(['a', 'b']);
    requests.loadMore();
    const page = last();
    await type('other');
    page.answer({ data: [hit('c')] });
    await settle();
    expect(shown()).toMatchObject({ phase: 'loading', nextCursor: 'c2' });
    expect(shown().hits).toHaveLength(2);
  });
});
