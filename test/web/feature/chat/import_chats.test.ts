import { importChats } from '../../../../web/src/feature/chat/import_chats';

describe('an import', () => {
  const results = [{ chat: { title: 'Birds', messages: [{ role: 'user' as const, content: 'Which?' }] } }];
  const refusal = (retryAfterMs: number) =>
    new Response(JSON.stringify({ error: { code: 'rate_limited', message: 'Wait.', retryAfterMs } }), { status: 429 });

  beforeEach(() => {
    Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('waits as long as the gateway says, however often it refuses', async () => {
    const refusals = Array.from({ length: 8 }, () => refusal(1));
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => refusals.pop() ?? new Response('{}', { status: 201 }));
    const told: object[] = [];
    await importChats(results, { signal: new AbortController().signal, onProgress: progress => told.push(progress) });
    expect(told.at(-1)).toEqual({ done: 1, all: 1, imported: 1, refused: [] });
  });

  it('stops during a wait, and counts no chat as refused', async () => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => refusal(60_000));
    const stop = new AbortController();
    const told: object[] = [];
    const importing = importChats(results, { signal: stop.signal, onProgress: progress => told.push(progress) });
    setTimeout(() => stop.abort(), 20);
    await expect(importing).rejects.toMatchObject({ name: 'AbortError' });
    expect(told).toEqual([{ done: 0, all: 1, imported: 0, refused: [] }]);
  });
});
