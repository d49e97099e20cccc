/** Sessions over REST: create, list, update, fork, read and delete. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AgentBench, startBench } from '../support/agent_bench';
import { startKeyBench, withKey } from '../support/key_bench';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';

interface Session {
  id: string;
  title: string;
  agent: string;
  locale: string;
  thinkingLevel: string;
  metadata?: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('say', request => `${request.body.messages.length - 1} so far`);
  bench.model.onTurn('pause', { text: 'never', pauseAfter: 0 });
});

afterAll(() => bench?.stop());

const create = async (input: Record<string, unknown> = {}) => (await bench.rest.request<Session>('POST', '/sessions', input)).body;

/** Opens the database of the gateway, which may be writing to it. */
function openDatabase({ gateway }: AgentBench): DatabaseSync {
  return new DatabaseSync(join(gateway.dataDir, 'neta.db'), { timeout: 5_000 });
}

/** Reads every row of a list, two on a page. */
async function readPages<T>(path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: PageBody<T> = (
      await bench.rest.request<PageBody<T>>(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
    ).body;
    expect(page.data.length).toBeLessThanOrEqual(2);
    rows.push(...page.data);
    cursor = page.nextCursor;
  }
  return rows;
}

describe('a session', () => {
  it('is created with defaults, read, updated and deleted', async () => {
    const made = await bench.rest.request<Session>('POST', '/sessions', { title: 'Garden', metadata: { bed: 4 } });
    const { id } = made.body;
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/api/v1/sessions/${id}`);
    expect(made.body).toEqual({
      id,
      title: 'Garden',
      agent: 'default',
      locale: 'en',
      thinkingLevel: 'off',
      metadata: { bed: 4 },
      createdAt: expect.stringMatching(ISO_TIME),
      updatedAt: expect.stringMatching(ISO_TIME),
    });
    const changed = await bench.rest.request<Session>('PATCH', `/sessions/${id}`, {
      title: 'Beans',
      thinkingLevel: 'low',
      locale: 'zh-CN',
    });
    expect(changed).toMatchObject({ status: 200, body: { title: 'Beans', thinkingLevel: 'low', locale: 'zh-CN', metadata: { bed: 4 } } });
    expect((await bench.rest.request<Session>('GET', `/sessions/${id}`)).body).toEqual(changed.body);
    expect((await bench.rest.request('DELETE', `/sessions/${id}`)).status).toBe(204);
    expect(await bench.rest.request<ErrorBody>('GET', `/sessions/${id}`)).toMatchObject({ status: 404 });
  });

  it('refuses an agent that does not exist', async () => {
    const answer = await bench.rest.request<ErrorBody>('POST', '/sessions', { agent: 'nobody' });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found', param: '/agent' } } });
  });

  it('is named after its first message and uses its thinking level', async () => {
    const { id } = await create();
    await bench.rest.request('PATCH', `/sessions/${id}`, { thinkingLevel: 'high' });
    await bench.rest.run({ sessionId: id, input: 'say hello to the garden\nand more' });
    expect((await bench.rest.request<Session>('GET', `/sessions/${id}`)).body.title).toBe('say hello to the garden');
    expect(bench.model.requests('say hello to the garden')[0]?.body.reasoning_effort).toBe('high');
  });

  it('is independent of its fork, which starts with the same history', async () => {
    const { body } = await bench.rest.run({ input: 'say one' });
    const forked = await bench.rest.request<Session>('POST', `/sessions/${body.sessionId}/fork`, { title: 'A copy' });
    expect(forked).toMatchObject({ status: 201, body: { title: 'A copy' } });
    expect((await bench.rest.run({ input: 'say two', sessionId: forked.body.id })).body.text).toBe('3 so far');
    expect(await bench.rest.history(forked.body.id)).toHaveLength(4);
    expect(await bench.rest.history(body.sessionId)).toHaveLength(2);
  });

  it('is forked without the messages of its active run, and has no branch after that run', async () => {
    const { body } = await bench.rest.run({ input: 'say three' });
    const client = await bench.connect();
    const { runId } = await client.chat('pause the fork', { sessionId: body.sessionId });
    await bench.model.waitFor('pause the fork');
    const forked = await bench.rest.request<Session>('POST', `/sessions/${body.sessionId}/fork`, {});
    expect((await bench.rest.history(forked.body.id)).map(message => message.content)).toEqual(['say three', '1 so far']);
    const later = { input: 'say later', sessionId: body.sessionId, onBusy: 'enqueue' };
    const queued = await bench.rest.request<{ runId: string }>('POST', '/runs', later, { prefer: 'respond-async' });
    const branchBefore = (before: string) => bench.rest.request<ErrorBody>('POST', `/sessions/${body.sessionId}/branches`, { before });
    expect(await branchBefore(queued.body.runId)).toMatchObject({ status: 409, body: { error: { code: 'session_busy' } } });
    expect((await branchBefore(runId)).status).toBe(201);
    await client.send({ type: 'cancel', runId });
  });

  it('has branches: the messages before a run, of which the list shows the one that was used last', async () => {
    type Branch = Session & { rootSessionId: string; beforeRunId: string };
    const branchBefore = (id: string, before: string) => bench.rest.request<Branch>('POST', `/sessions/${id}/branches`, { before });
    const placesOf = async (id: string) => (await bench.rest.request<PageBody<object>>('GET', `/sessions/${id}/branches/places`)).body.data;
    const first = (await bench.rest.run({ input: 'say alpha' })).body;
    const { sessionId } = first;
    const second = (await bench.rest.run({ input: 'say beta', sessionId })).body;
    expect(await placesOf(sessionId)).toEqual([]);

    const made = await branchBefore(sessionId, second.runId);
    expect(made).toMatchObject({ status: 201, body: { title: 'say alpha', rootSessionId: sessionId, beforeRunId: second.runId } });
    const branchId = made.body.id;
    const listed = async () => (await bench.rest.request<PageBody<Session>>('GET', '/sessions?q=alpha')).body.data.map(({ id }) => id);
    expect(await listed()).toEqual([sessionId]);
    const other = (await bench.rest.run({ input: 'say gamma', sessionId: branchId })).body;
    expect(other.text).toBe('3 so far');
    expect(await listed()).toEqual([branchId]);

    // A branch before the first run of a branch stands in the same place, and a branch of copied messages finds its place too.
    const third = (await branchBefore(branchId, other.runId)).body;
    const again = (await bench.rest.run({ input: 'say delta', sessionId: third.id })).body;
    const fourth = (await branchBefore(third.id, first.runId)).body;
    const restart = (await bench.rest.run({ input: 'say omega', sessionId: fourth.id })).body;
    expect(restart.text).toBe('1 so far');
    const places = [
      {
        runs: [
          { runId: second.runId, sessionId },
          { runId: other.runId, sessionId: branchId },
          { runId: again.runId, sessionId: third.id },
        ],
      },
      {
        runs: [
          { runId: first.runId, sessionId: third.id },
          { runId: restart.runId, sessionId: fourth.id },
        ],
      },
    ];
    expect(await placesOf(sessionId)).toEqual(places);
    expect(await placesOf(fourth.id)).toEqual(places);
    expect(await branchBefore(sessionId, again.runId)).toMatchObject({ status: 404, body: { error: { param: '/before' } } });

    // A fork is a chat of its own, also when it is the fork of a branch.
    const fork = (await bench.rest.request<Session>('POST', `/sessions/${branchId}/fork`, {})).body;
    for (const copied of [first, other]) {
      const branch = (await branchBefore(fork.id, copied.runId)).body;
      const { runId } = (await bench.rest.run({ input: 'say sigma', sessionId: branch.id })).body;
      expect(branch).toMatchObject({ rootSessionId: fork.id, beforeRunId: copied.runId });
      expect(await placesOf(fork.id)).toContainEqual({
        runs: [
          { runId: copied.runId, sessionId: fork.id },
          { runId, sessionId: branch.id },
        ],
      });
    }

    await bench.rest.request('PATCH', `/sessions/${fourth.id}`, { title: 'Greek alphabet' });
    expect((await bench.rest.request<Session>('GET', `/sessions/${sessionId}`)).body.title).toBe('Greek alphabet');
    expect((await bench.rest.request('DELETE', `/sessions/${branchId}`)).status).toBe(204);
    for (const id of [sessionId, branchId, third.id, fourth.id]) {
      expect((await bench.rest.request('GET', `/sessions/${id}`)).status).toBe(404);
    }
  });

  it('gets a branch by a run that edits a message or answers it again, and shows the branch that was made active', async () => {
    interface Branch {
      id: string;
      parentMessageId: string | null;
      title: string;
      messages: number;
      createdAt: string;
      active: boolean;
    }
    const branchesOf = (id: string) => readPages<Branch>(`/sessions/${id}/branches`);
    const refusal = async (body: object) => {
      const { status, body: answer } = await bench.rest.request<ErrorBody>('POST', '/runs', body);
      return [status, answer.error.param];
    };
    const { sessionId } = (await bench.rest.run({ input: 'say kiwi' })).body;
    expect(await branchesOf(sessionId)).toMatchObject([{ id: sessionId, parentMessageId: null, messages: 2, active: true }]);
    const second = (await bench.rest.run({ input: 'say melon', sessionId, images: [{ mediaType: 'image/png', base64: PNG }] })).body;
    const [, parent, edited, answer] = await bench.rest.history(sessionId);

    const once = { 'idempotency-key': 'edit-melon' };
    const edit = (await bench.rest.run({ editOf: edited?.id, input: 'say lemon' }, once)).body;
    expect(edit).toMatchObject({ status: 'completed', text: '3 so far' });
    expect((await bench.rest.run({ editOf: edited?.id, input: 'say lemon' }, once)).body.runId).toBe(edit.runId);
    const again = (await bench.rest.run({ regenerate: second.runId })).body;
    const texts = async (id: string) => (await bench.rest.history(id)).map(({ content }) => content);
    expect(await texts(edit.sessionId)).toEqual(['say kiwi', '1 so far', 'say lemon', '3 so far']);
    expect(await texts(again.sessionId)).toEqual(['say kiwi', '1 so far', 'say melon', '3 so far']);
    expect(await texts(sessionId)).toHaveLength(4);
    const imagesOf = async (id: string) => (await bench.rest.history(id))[2]?.images;
    expect(await imagesOf(again.sessionId)).toMatchObject([{ mediaType: 'image/png' }]);
    expect(await imagesOf(edit.sessionId)).toHaveLength(1);

    // A refused run leaves no branch behind, and its idempotency key is free again.
    for (const _try of ['first', 'second']) {
      const body = { regenerate: second.runId, model: 'none' };
      const refused = await bench.rest.request<ErrorBody>('POST', '/runs', body, { 'idempotency-key': 'refused' });
      expect([refused.status, refused.body.error.param]).toEqual([404, '/model']);
    }
    const rows = await branchesOf(again.sessionId);
    const row = { title: 'say kiwi', messages: 4, createdAt: expect.stringMatching(ISO_TIME), active: false };
    expect(rows).toEqual([
      { ...row, id: sessionId, parentMessageId: null },
      { ...row, id: edit.sessionId, parentMessageId: parent?.id },
      { ...row, id: again.sessionId, parentMessageId: parent?.id, active: true },
    ]);
    const listed = async () => (await bench.rest.request<PageBody<Session>>('GET', '/sessions?q=kiwi')).body.data.map(({ id }) => id);
    expect(await listed()).toEqual([again.sessionId]);
    const change = (body: object) => bench.rest.request<ErrorBody>('PATCH', `/sessions/${sessionId}`, body);
    expect((await change({ branch: edit.sessionId })).status).toBe(200);
    expect(await listed()).toEqual([edit.sessionId]);
    expect((await branchesOf(sessionId)).map(({ active }) => active)).toEqual([false, true, false]);
    const other = await create();
    expect(await change({ branch: other.id })).toMatchObject({ status: 404, body: { error: { param: '/branch' } } });

    expect(await refusal({ editOf: edited?.id })).toEqual([400, '/input']);
    expect(await refusal({ editOf: answer?.id, input: 'x' })).toEqual([400, '/editOf']);
    expect(await refusal({ editOf: edited?.id, input: 'x', sessionId: other.id })).toEqual([404, '/editOf']);
    expect(await refusal({ regenerate: 'run_none' })).toEqual([404, '/regenerate']);
    expect(await refusal({ regenerate: second.runId, editOf: edited?.id })).toEqual([400, '/regenerate']);
    expect(await refusal({ regenerate: edit.runId, sessionId })).toEqual([404, '/regenerate']);
    await bench.rest.request('DELETE', `/sessions/${sessionId}`);
  });

  it('is pinned, archived and put into a project with all branches of its chat, without a new place by time', async () => {
    const listed = async (query: string) => (await readPages<Session>(`/sessions${query}`)).map(({ id }) => id);
    const { sessionId, runId } = (await bench.rest.run({ input: 'say onion' })).body;
    const { id } = (await bench.rest.request<Session>('POST', `/sessions/${sessionId}/branches`, { before: runId })).body;
    await bench.rest.run({ input: 'say leek', sessionId: id });
    const before = (await bench.rest.request<Session>('GET', `/sessions/${id}`)).body;
    const change = (fields: object) => bench.rest.request<Session>('PATCH', `/sessions/${id}`, fields);
    expect((await change({ pinned: true, project: 'Garden' })).body).toEqual({ ...before, pinned: true, project: 'Garden' });
    expect((await bench.rest.request<Session>('GET', `/sessions/${sessionId}`)).body).toMatchObject({ pinned: true, project: 'Garden' });
    expect(await listed('?pinned=true')).toEqual([id]);
    expect(await listed('?project=Garden')).toEqual([id]);
    const projects = async () => (await bench.rest.request<PageBody<object>>('GET', '/projects')).body.data;
    expect(await projects()).toEqual([{ name: 'Garden', sessions: 1 }]);
    await change({ archived: true });
    expect(await listed('?archived=true')).toEqual([id]);
    expect(await listed('')).not.toContain(id);
    expect(await listed('?q=onion')).toEqual([id]);
    expect(await projects()).toEqual([]);
    const fork = (await bench.rest.request<Session>('POST', `/sessions/${id}/fork`, {})).body;
    expect(fork).not.toHaveProperty('archived');
    expect(fork).not.toHaveProperty('pinned');
    expect(await listed('?project=Garden')).toEqual([fork.id]);
    await bench.rest.request('DELETE', `/sessions/${fork.id}`);
    await change({ archived: false, pinned: false, project: null });
    expect(await listed('')).toContain(id);
    expect(await listed('?pinned=true')).toEqual([]);
    expect(await projects()).toEqual([]);
    expect((await bench.rest.request('GET', '/sessions?project=')).status).toBe(400);
  });

  it('is temporary: in no list and no search, and deleted with its branches; its instructions are in the prompt of each branch', async () => {
    const session = await create({ temporary: true, instructions: 'Answer in rhymes.' });
    expect(session).toMatchObject({ temporary: true, instructions: 'Answer in rhymes.' });
    const { runId } = (await bench.rest.run({ input: 'say rutabaga', sessionId: session.id })).body;
    const { id } = (await bench.rest.request<Session>('POST', `/sessions/${session.id}/branches`, { before: runId })).body;
    await bench.rest.run({ input: 'say rutabaga twice', sessionId: id });
    const systemOf = (input: string) => String(bench.model.requests(input)[0]?.body.messages[0]?.content);
    expect(systemOf('say rutabaga twice')).toContain('Answer in rhymes.');
    const preview = await bench.rest.request<{ prompt: string }>('POST', '/runs/preview', { input: 'hello', sessionId: id });
    expect(preview.body.prompt).toContain('Answer in rhymes.');
    const listed = (await readPages<Session>('/sessions')).map(one => one.id);
    expect(listed).not.toContain(id);
    expect(listed).not.toContain(session.id);
    expect(await readPages('/search?q=rutabaga')).toEqual([]);
    expect(await readPages('/sessions?q=rutabaga')).toEqual([]);
    expect((await bench.rest.request('PATCH', `/sessions/${id}`, { temporary: false })).status).toBe(400);
    expect((await bench.rest.request('PATCH', `/sessions/${id}`, { instructions: 'x'.repeat(4_001) })).status).toBe(400);
    expect((await bench.rest.request<Session>('PATCH', `/sessions/${id}`, { instructions: null })).body).not.toHaveProperty('instructions');
    await bench.rest.run({ input: 'say swede', sessionId: id });
    expect(systemOf('say swede')).not.toContain('rhymes');
    const first = async () => (await bench.rest.request<Session>('GET', `/sessions/${session.id}`)).body;
    expect(await first()).not.toHaveProperty('instructions');
    await bench.rest.request('PATCH', `/sessions/${id}`, { instructions: 'Answer in prose.' });
    expect(await first()).toMatchObject({ instructions: 'Answer in prose.' });
    await bench.rest.request('DELETE', `/sessions/${id}`);
    expect((await bench.rest.request('GET', `/sessions/${session.id}`)).status).toBe(404);
  });

  it('is imported from a chat of another program, found by search, branched and continued with its messages', async () => {
    const messages = [
      { role: 'user', content: 'Where do puffins nest?', createdAt: '2024-05-01T08:00:00.000Z' },
      { role: 'assistant', content: 'In burrows.' },
      { role: 'user', content: 'And in winter?', createdAt: '2024-05-01T08:05:00.000Z' },
      { role: 'assistant', content: 'At sea.' },
    ];
    const made = await bench.rest.request<Session>('POST', '/sessions/import', { title: 'Puffins', messages });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: 'Puffins', createdAt: '2024-05-01T08:00:00.000Z', updatedAt: '2024-05-01T08:05:00.000Z' });
    const { id } = made.body;
    const rows = await readPages<{ role: string; content: string; runId: string; createdAt: string }>(`/sessions/${id}/messages`);
    expect(rows.map(({ content }) => content)).toEqual(messages.map(({ content }) => content));
    expect(rows[1]?.createdAt).toBe('2024-05-01T08:00:00.000Z');
    expect(await readPages('/search?q=puffins')).toMatchObject([{ sessionId: id, role: 'user' }]);
    const branch = await bench.rest.request<Session>('POST', `/sessions/${id}/branches`, { before: rows[2]?.runId });
    expect((await bench.rest.run({ input: 'say hello', sessionId: branch.body.id })).body.text).toBe('3 so far');
    expect((await bench.rest.run({ input: 'say more', sessionId: id })).body.text).toBe('5 so far');
    expect((await bench.rest.request('POST', '/sessions/import', { messages: [] })).status).toBe(400);
    const broken = [{ role: 'user', content: 'x', createdAt: '2024-13-01T08:00:00Z' }];
    expect((await bench.rest.request('POST', '/sessions/import', { messages: broken })).status).toBe(400);
    await bench.rest.request('DELETE', `/sessions/${id}`);
  });

  it("is written as a file in four forms, and a file of another program's chats comes in once", async () => {
    const node = (id: string, parent: string | null, role: string, text: string) => ({
      [id]: { id, parent, message: { author: { role }, create_time: 1_714_550_400, content: { content_type: 'text', parts: [text] } } },
    });
    const mapping = { ...node('a', null, 'user', 'Is <b> a tag?'), ...node('b', 'a', 'assistant', 'Yes: `<b>`.') };
    const file = [
      { title: 'Tags: 标签', mapping, current_node: 'b' },
      { title: 'Empty', mapping: {} },
    ];
    for (let i = 0; i < 2; i++) {
      const { status, body } = await bench.rest.request('POST', '/imports', file);
      expect([status, body]).toEqual([200, { sessions: 1, messages: 2, skipped: 1 }]);
    }
    const [{ id = '' } = {}, ...others] = (await readPages<Session>('/sessions')).filter(({ title }) => title === 'Tags: 标签');
    expect(others).toEqual([]);
    const download = (query: string) => bench.rest.request<string>('GET', `/sessions/${id}/export?${query}`);
    const markdown = await download('format=markdown&locale=zh-CN');
    expect(markdown.body).toMatch(/^# Tags: 标签\n\n导出于 .* UTC。\n\n## 你\n\nIs <b> a tag\?\n\n## 智能体\n\nYes: `<b>`\.\n$/);
    expect(markdown.headers.get('content-disposition')).toBe(
      `attachment; filename="Tags __.md"; filename*=UTF-8''Tags%20${encodeURIComponent('标签')}.md`,
    );
    await bench.rest.request('PATCH', `/sessions/${id}`, { title: `${'a'.repeat(59)}🌱` });
    expect((await download('format=json')).headers.get('content-disposition')).toContain(`"${'a'.repeat(59)}.json"`);
    const html = await download('format=html');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.body).toContain('<h2>You</h2>\n<p dir="auto">Is &lt;b&gt; a tag?</p>');
    expect((await download('format=json')).body).toMatchObject({ session: { id }, messages: [{ role: 'user' }, { role: 'assistant' }] });
    expect((await download('')).body).toContain('{"type":"session"');
    expect((await download('format=pdf')).status).toBe(400);
    for (const wrong of ['no json', '{"a":1}']) expect((await bench.rest.request('POST', '/imports', wrong)).status).toBe(400);
    await bench.rest.request('DELETE', `/sessions/${id}`);
  });

  it('is shown by a link until the link is revoked: texts alone, as of the link, never without login unless the operator allows it', async () => {
    interface Made {
      id: string;
      url: string;
      token: string;
      expiresAt: string;
    }
    const { sessionId } = (await bench.rest.run({ input: 'say turnip' })).body;
    const path = `/sessions/${sessionId}/shares`;
    const expiresAt = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const made = await bench.rest.request<Made>('POST', path, { expiresAt });
    expect(made).toMatchObject({ status: 201, body: { expiresAt, public: false } });
    const { id, url, token } = made.body;
    expect(url).toBe(`${bench.gateway.url}/shared#${token}`);
    await bench.rest.run({ input: 'say later', sessionId });
    const withToken = { 'x-share-token': token };
    const shared = await bench.rest.request<{ messages: object[] }>('GET', '/shared', undefined, withToken);
    const shown = [
      { role: 'user', content: 'say turnip' },
      { role: 'assistant', content: '1 so far' },
    ];
    expect(shared.body.messages).toMatchObject(shown);
    expect(shared.headers.get('x-robots-tag')).toContain('noindex');
    expect((await bench.rest.request('GET', '/shared')).status).toBe(404);
    expect((await bench.rest.request('GET', '/public/shared', undefined, withToken)).status).toBe(404);
    expect((await bench.rest.request('POST', path, { public: true })).status).toBe(403);
    const passing = (await bench.rest.request<{ id: string }>('POST', '/sessions', { temporary: true })).body;
    const refused = await bench.rest.request('POST', `/sessions/${passing.id}/shares`, {});
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden', message: expect.stringContaining('temporary') } } });
    for (const wrong of ['2020-01-01T00:00:00Z', '2300-01-01T00:00:00Z', 'soon'])
      expect(await bench.rest.request<ErrorBody>('POST', path, { expiresAt: wrong })).toMatchObject({
        status: 400,
        body: { error: { param: '/expiresAt' } },
      });
    const [listed] = await readPages<object>(path);
    expect(listed).toMatchObject({ id, sessionId, public: false, expiresAt });
    const read = await bench.rest.request<object>('GET', `/shares/${id}`);
    expect(read.body).toMatchObject({ ...listed, title: 'say turnip', messages: shown });
    expect(JSON.stringify([listed, read.body])).not.toContain(token);
    for (let links = 1; links < 20; links += 1) await bench.rest.request('POST', path, {});
    expect(await bench.rest.request<ErrorBody>('POST', path, {})).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded' } },
    });
    expect((await bench.rest.request('DELETE', `/shares/${id}`)).status).toBe(204);
    expect((await bench.rest.request('GET', `/shares/${id}`)).status).toBe(404);
    expect((await bench.rest.request('GET', '/shared', undefined, withToken)).status).toBe(404);
    const { data } = (await bench.rest.request<PageBody<{ action: string; target: string }>>('GET', '/audit?limit=50')).body;
    expect(data.filter(({ target }) => target === id).map(({ action }) => action)).toEqual(['share.revoke', 'share.create']);
    await bench.rest.request('DELETE', `/sessions/${sessionId}`);
  });

  it('shows by a link nothing of a run that goes on after the link was made, whatever the clocks say', async () => {
    const { sessionId } = (await bench.rest.run({ input: 'say first' })).body;
    const client = await bench.connect();
    const { runId } = await client.chat('pause there', { sessionId });
    await bench.model.waitFor('pause there');
    const later = { input: 'say queued', sessionId };
    const queued = await bench.rest.request<{ runId: string }>('POST', '/runs', later, { prefer: 'respond-async' });
    const { token } = (await bench.rest.request<{ token: string }>('POST', `/sessions/${sessionId}/shares`, {})).body;
    await client.send({ type: 'cancel', runId });
    await client.endOf(queued.body.runId);
    const database = openDatabase(bench);
    // As if a gateway whose clock is behind had stored the later messages.
    database.exec(`update messages set created_at = 1 where session_id = '${sessionId}'`);
    database.close();
    const shared = await bench.rest.request<{ messages: { content: string }[] }>('GET', '/shared', undefined, { 'x-share-token': token });
    expect(shared.body.messages.map(({ content }) => content)).toEqual(['say first', '1 so far', 'pause there']);
    await bench.rest.request('DELETE', `/sessions/${sessionId}`);
  });

  it('tells connections that watch the list of their tenant', async () => {
    const client = await bench.connect();
    expect(await client.send({ type: 'watch_sessions' })).toEqual({ ok: true });
    const { id } = await create({ title: 'Watched' });
    await client.waitForAny(({ type }) => (type as string) === 'sessions_changed');
    const another = await bench.connect();
    await another.send({ type: 'watch_sessions' });
    await bench.rest.request('POST', `/sessions/${id}/fork`, {});
    await another.waitForAny(({ type }) => (type as string) === 'sessions_changed');
  });

  it('cancels its active run when it is deleted', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('pause here');
    const request = await bench.model.waitFor('pause here');
    expect((await bench.rest.request('DELETE', `/sessions/${sessionId}`)).status).toBe(204);
    expect(await request.ended).toBe('hung_up');
    expect((await client.endOf(runId)).data.status).toBe('cancelled');
    expect((await bench.rest.request('GET', `/runs/${runId}`)).status).toBe(404);
  });
});

it('a public link is read without a key while the operator allows it, by no other tenant through its key, and not after it expired', async () => {
  const { bench: own, url, admin, makeKey } = await startKeyBench({ NETA_PUBLIC_SHARES: '1' });
  try {
    const { secret } = await makeKey({ name: 'stranger', tenant: 'acme', scopes: ['chat'] });
    const { id } = (await admin.request<Session>('POST', '/sessions/import', { messages: [{ role: 'user', content: 'Hello all' }] })).body;
    const share = async (isPublic: boolean): Promise<string> =>
      (await admin.request<{ token: string }>('POST', `/sessions/${id}/shares`, { public: isPublic })).body.token;
    const readWith = <T>(client: RestClient, path: string, token: string) =>
      client.request<T>('GET', path, undefined, { 'x-share-token': token });
    const [open, closed] = [await share(true), await share(false)];
    const statuses = (path: string) => Promise.all([open, closed].map(async token => (await readWith(own.rest, path, token)).status));
    const { body } = await readWith<{ messages: object[] }>(own.rest, '/public/shared', open);
    expect(body.messages).toMatchObject([{ role: 'user', content: 'Hello all' }]);
    expect(await statuses('/public/shared')).toEqual([200, 404]);
    expect(await statuses('/shared')).toEqual([401, 401]);
    for (const token of [open, closed]) {
      expect((await readWith(withKey(url, secret), '/shared', token)).status).toBe(404);
      expect((await readWith(admin, '/shared', token)).status).toBe(200);
    }
    await own.gateway.restart({ NETA_PUBLIC_SHARES: '0' });
    expect(await statuses('/public/shared')).toEqual([404, 404]);
    expect((await readWith(admin, '/shared', open)).status).toBe(200);
    await own.gateway.kill();
    const database = openDatabase(own);
    database.exec('update shares set expires_at = created_at');
    database.close();
    await own.gateway.restart();
    expect(await statuses('/public/shared')).toEqual([404, 404]);
    expect((await readWith(admin, '/shared', closed)).status).toBe(404);
  } finally {
    await own.stop();
  }
});

describe('a long session', () => {
  it('cancels a run that starts while the session is deleted', async () => {
    const { body } = await bench.rest.run({ input: 'say it' });
    const { sessionId } = body;
    const database = openDatabase(bench);
    copyMessages(database, sessionId, 60_000);
    const deleted = bench.rest.request('DELETE', `/sessions/${sessionId}`);
    while (countMessages(database, sessionId) > 60_000) await new Promise(resolve => setImmediate(resolve));
    const client = await bench.connect();
    const { runId } = await client.chat('pause there', { sessionId });
    expect((await deleted).status).toBe(204);
    database.close();
    expect((await client.endOf(runId)).data.status).toBe('cancelled');
  });

  function copyMessages(database: DatabaseSync, sessionId: string, count: number): void {
    database.exec(`
      insert into messages
      select tenant_id, 'copy_' || n, session_id, run_id, run_ordinal, 10 + n, message, created_at
      from messages, (with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)
      where session_id = '${sessionId}' and position = 0;
      -- Searches in later tests would index them first.
      delete from search_queue where message_id like 'copy_%'`);
  }

  function countMessages(database: DatabaseSync, sessionId: string): number {
    const row = database.prepare('select count(*) as count from messages where session_id = ?').get(sessionId);
    return Number(row?.['count']);
  }
});

describe('lists', () => {
  it('page through the sessions, each one once, the latest first', async () => {
    const made = [await create(), await create(), await create()].map(session => session.id);
    const ids = (await readPages<Session>('/sessions')).map(session => session.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter(id => made.includes(id))).toEqual([...made].reverse());
  });

  it('give the messages in order, with matching calls and results', async () => {
    bench.model.onTurn('look around', { toolCalls: [{ name: 'list_dir', id: 'look', arguments: {} }] }, 'empty');
    const { body } = await bench.rest.run({ input: 'look around' });
    const rows = await readPages<Record<string, unknown>>(`/sessions/${body.sessionId}/messages`);
    expect(rows).toMatchObject([
      { role: 'user', content: 'look around', runId: body.runId },
      { role: 'assistant', content: '', toolCalls: [{ toolCallId: 'look', name: 'list_dir', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'look' },
      { role: 'assistant', content: 'empty', createdAt: expect.stringMatching(ISO_TIME) },
    ]);
  });

  it('filter the runs by session and status', async () => {
    const { body } = await bench.rest.run({ input: 'say x' });
    await bench.rest.run({ input: 'say y', sessionId: body.sessionId, metadata: { order: 7 } });
    const { body: page } = await bench.rest.request<PageBody<Record<string, unknown>>>(
      'GET',
      `/runs?sessionId=${body.sessionId}&status=completed`,
    );
    expect(page.data).toMatchObject([
      { input: 'say y', status: 'completed', door: 'rest', metadata: { order: 7 }, text: '3 so far' },
      { runId: body.runId, input: 'say x' },
    ]);
    const { body: none } = await bench.rest.request<PageBody<unknown>>('GET', `/runs?sessionId=${body.sessionId}&status=failed`);
    expect(none).toEqual({ data: [], hasMore: false });
  });
});
