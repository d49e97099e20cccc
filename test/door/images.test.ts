/** Images in messages: a model that can see gets them, any other gets a line of text, and the session keeps them. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataOf, MODEL_DOORS, type ModelBench, type Say, startModelBench } from '../support/model_bench';
import type { ErrorBody, HistoryMessage, PageBody } from '../support/rest_client';
import { until } from '../support/until';

const MODELS = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, images: true }
  - { id: b, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b }
fallback: [a, b]
`;

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const GIF = Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const WEBP = Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1');
const png = { mediaType: 'image/png', base64: PNG.toString('base64') };
const BLIND_LINES = '[image 1: image/png, 16 B; this model cannot see images]\n[image 2: image/gif, 10 B; this model cannot see images]';
const MIB = 1024 * 1024;

const urlOf = (mediaType: string, bytes: Buffer) => `data:${mediaType};base64,${bytes.toString('base64')}`;
const part = (mediaType: string, bytes: Buffer) => ({ type: 'image_url', image_url: { url: urlOf(mediaType, bytes) } });

let bench: ModelBench;
const [, overRest] = MODEL_DOORS[1] as [string, Say];

/** The contents of the messages of a person in the last request with this text. */
const sentTo = (server: 'a' | 'b', text: string): unknown[] =>
  (bench[server].requests(text).at(-1)?.body.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []));

async function readImage(sessionId: string, imageId: string) {
  const answer = await fetch(`${bench.gateway.url}/api/v1/sessions/${sessionId}/images/${imageId}`);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const imagesOf = (history: readonly HistoryMessage[]) => history.flatMap(({ images = [] }) => images);

beforeAll(async () => {
  bench = await startModelBench({ models: MODELS });
  const { workspace } = bench.gateway;
  await mkdir(join(workspace, 'shots'));
  await writeFile(join(workspace, 'shots/a.gif'), GIF);
  await writeFile(join(workspace, 'a.jpg'), JPEG);
  await writeFile(join(workspace, 'a.webp'), WEBP);
  await writeFile(join(workspace, 'notes.txt'), 'no image');
  await writeFile(join(workspace, 'large.png'), Buffer.concat([PNG, Buffer.alloc(5 * MIB)]));
  for (const name of ['b1.png', 'b2.png', 'b3.png']) await writeFile(join(workspace, name), Buffer.concat([PNG, Buffer.alloc(4 * MIB)]));
  await symlink('/etc/hostname', join(workspace, 'outside.png'));
  bench.a.onTurn('fails', { error: { status: 401 } });
  bench.a.onTurn('killed', { text: 'never said', pauseAfter: 0, times: 1 });
  bench.a.onTurn('asks', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which one?' } }] });
  for (const server of [bench.a, bench.b])
    server.onTurn('open the picture', { toolCalls: [{ name: 'read_file', arguments: { path: 'shots/a.gif' } }] }, 'seen');
  bench.a.onTurn('tells', { text: 'in the end', pauseAfter: 0, times: 1 });
  bench.a.onTurn('slow', { text: 'in the end', pauseAfter: 0, times: 1 });
  for (const server of [bench.a, bench.b]) server.onTurn(/./, 'seen');
});
afterAll(() => bench?.stop());

it('shows the images of a run to the model that replays it, and fails once they are deleted', async () => {
  // Stands before the tests in which server a fails: calls then go to b for a while.
  const { body } = await bench.rest.run({ input: 'replay this picture', images: [png] });
  await bench.rest.request('POST', '/suites', { runId: body.runId, name: 'pictures' });
  const asked = bench.a.requests('replay this picture').length;
  const { body: replay } = await bench.rest.request<{ result: string }>('POST', `/runs/${body.runId}/replay`, { model: 'a' });
  expect(replay.result).toBe('same');
  expect(bench.a.requests('replay this picture')).toHaveLength(asked + 1);
  expect(sentTo('a', 'replay this picture')).toStrictEqual([[{ type: 'text', text: 'replay this picture' }, part('image/png', PNG)]]);
  await bench.rest.request('DELETE', `/sessions/${body.sessionId}`);
  const { body: suite } = await bench.rest.request<{ cases: object[] }>('POST', '/suites/pictures/run', { model: 'a' });
  expect(suite.cases).toMatchObject([{ replay: { result: 'failed' } }]);
  expect(JSON.stringify(suite.cases)).toContain(`The images of run ${body.runId} were deleted`);
  expect(bench.a.requests('replay this picture')).toHaveLength(asked + 1);
});

describe.each(MODEL_DOORS)('over %s', (door, say) => {
  it('shows images to a model that can see, in this turn and in later ones', async () => {
    const text = `look ${door}`;
    const { sessionId, end } = await say(bench, text, { images: [png, { path: 'shots/a.gif' }, { path: 'a.jpg' }, { path: 'a.webp' }] });
    expect(end).toMatchObject({ status: 'completed', text: 'seen' });
    const expected = [
      { type: 'text', text },
      part('image/png', PNG),
      part('image/gif', GIF),
      part('image/jpeg', JPEG),
      part('image/webp', WEBP),
    ];
    expect(sentTo('a', text)).toStrictEqual([expected]);
    await say(bench, `again ${door}`, { sessionId });
    expect(sentTo('a', `again ${door}`)).toStrictEqual([expected, `again ${door}`]);
  });

  it('tells a model that cannot see what there was', async () => {
    const text = `blind ${door}`;
    await say(bench, text, { model: 'b', images: [png, { path: 'shots/a.gif' }] });
    expect(sentTo('b', text)).toStrictEqual([`${text}\n${BLIND_LINES}`]);
  });

  it('keeps references in the history, and gives the bytes', async () => {
    const { sessionId } = await say(bench, 'keep', { images: [png] });
    const [image] = imagesOf(await bench.rest.history(sessionId));
    expect(image).toStrictEqual({ id: expect.stringMatching(/^img_/), mediaType: 'image/png', bytes: PNG.length });
    const { status, headers, bytes } = await readImage(sessionId, image?.id ?? '');
    expect(status).toBe(200);
    expect(bytes.equals(PNG)).toBe(true);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('cache-control')).toContain('private');
  });

  it.each([
    [[], 'invalid_request', '/images'],
    [Array(9).fill(png), 'invalid_request', '/images'],
    [[{}], 'invalid_request', '/images/0'],
    [[png, { base64: png.base64 }], 'invalid_request', '/images/1/mediaType'],
    [[{ ...png, mediaType: 'image/gif' }], 'invalid_request', '/images/0/mediaType'],
    [[{ ...png, mediaType: 'image/svg+xml' }], 'invalid_request', '/images/0/mediaType'],
    [[{ ...png, base64: 'not base64!' }], 'invalid_request', '/images/0/base64'],
    [[{ ...png, base64: Buffer.from('<svg/>').toString('base64') }], 'invalid_request', '/images/0/base64'],
    [[{ ...png, path: 'a.jpg' }], 'invalid_request', '/images/0/base64'],
    [[{ ...png, url: 'http://127.0.0.1/' }], 'invalid_request', '/images/0/url'],
    [[{ path: 'notes.txt' }], 'invalid_request', '/images/0/path'],
    [[{ path: 'missing.png' }], 'invalid_request', '/images/0/path'],
    [[{ path: 'outside.png' }], 'invalid_request', '/images/0/path'],
    [[{ path: '../../etc/hostname' }], 'invalid_request', '/images/0/path'],
    [[{ path: 'shots' }], 'invalid_request', '/images/0/path'],
    [[{ path: 'large.png' }], 'too_large', '/images/0/path'],
    [[{ path: 'b1.png' }, { path: 'b2.png' }, { path: 'b3.png' }], 'too_large', '/images'],
  ])('refuses %# and names the field', async (images, code, param) => {
    await expect(say(bench, 'wrong', { images })).rejects.toMatchObject({ code, param });
    expect(bench.a.requests('wrong')).toHaveLength(0);
  });
});

describe('an image that a tool returns', () => {
  const inResults = (server: 'a' | 'b', text: string) =>
    (bench[server].requests(text).at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

  it('is shown to a model that can see, in this turn and in later ones, and the session keeps it', async () => {
    const { sessionId, events } = await overRest(bench, 'open the picture', { model: 'a' });
    const stored = { id: expect.stringMatching(/^img_/), mediaType: 'image/gif', bytes: GIF.length };
    expect(dataOf(events, 'tool_call_end')).toMatchObject([{ ok: true, images: [stored] }]);
    const behind = [{ type: 'text', text: 'The images of the tool results above:' }, part('image/gif', GIF)];
    expect(sentTo('a', 'The images of the tool results')).toStrictEqual(['open the picture', behind]);
    expect(inResults('a', 'The images of the tool results')[0]).toMatch(
      /^shots\/a.gif is an image \(image\/gif, 10 B\), which is attached/,
    );
    await overRest(bench, 'and now', { sessionId, model: 'a' });
    expect(sentTo('a', 'and now')).toStrictEqual(['open the picture', behind, 'and now']);
    const history = await bench.rest.history(sessionId);
    expect(history.find(({ role }) => role === 'tool')?.images).toStrictEqual([stored]);
    const [image] = imagesOf(history);
    expect((await readImage(sessionId, image?.id ?? '')).bytes.equals(GIF)).toBe(true);
    const { body: fork } = await bench.rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`, {});
    await overRest(bench, 'and in the fork', { sessionId: fork.id, model: 'a' });
    expect(sentTo('a', 'and in the fork')).toContainEqual(behind);
  });

  it('is a line of text for a model that cannot see', async () => {
    await overRest(bench, 'open the picture', { model: 'b' });
    expect(sentTo('b', 'open the picture')).toStrictEqual(['open the picture']);
    expect(inResults('b', 'open the picture')[0]).toContain('[image 1: image/gif, 10 B; this model cannot see images]');
  });

  it('is replayed with the run', async () => {
    const { runId } = await overRest(bench, 'open the picture', { model: 'a' });
    const { body } = await bench.rest.request<{ result: string }>('POST', `/runs/${runId}/replay`, { model: 'a' });
    expect(body.result).toBe('same');
  });
});

it('refuses a message whose images are too long for its door', async () => {
  const images = [{ ...png, base64: Buffer.concat([PNG, Buffer.alloc(700_000)]).toString('base64') }];
  const client = await bench.connect();
  expect((await client.send({ type: 'chat', text: 'long', images })).error).toMatchObject({ code: 'too_large', param: '/images' });
});

describe('images as base64 over REST', () => {
  const imageOf = (bytes: number) => ({ ...png, base64: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]).toString('base64') });
  const post = (body: unknown) => bench.rest.request<ErrorBody & { status: string }>('POST', '/runs', body);

  it('can be as large as the images of a message may be', async () => {
    const images = [imageOf(5 * MIB), imageOf(5 * MIB)];
    // The mock server takes no bodies as large as that.
    expect(await post({ input: 'two large ones', model: 'b', images })).toMatchObject({
      status: 200,
      body: { status: 'completed', text: 'seen' },
    });
    const preview = await bench.rest.request('POST', '/runs/preview', { input: 'large', images });
    expect(preview.status).toBe(200);
  });

  it('are refused beyond that, and the refusal names the field', async () => {
    const tooMany = [imageOf(4 * MIB), imageOf(4 * MIB), imageOf(2 * MIB + 100)];
    expect(await post({ input: 'x', images: tooMany })).toMatchObject({
      status: 413,
      body: { error: { code: 'too_large', param: '/images' } },
    });
    const tooLong = [imageOf(5 * MIB), imageOf(5 * MIB), imageOf(5 * MIB)];
    const { status, body } = await post({ input: 'x', images: tooLong });
    expect({ status, ...body.error }).toMatchObject({
      status: 413,
      code: 'too_large',
      param: '/images',
      message: expect.stringContaining('14 MiB'),
    });
    const large = JSON.stringify({ input: 'x', images: [imageOf(2 * MIB)] });
    expect((await post(large.slice(0, -1))).body.error).toMatchObject({ code: 'invalid_request' });
    expect(bench.a.requests('x')).toHaveLength(0);
  });

  it('do not raise the limit of other bodies', async () => {
    const long = 'x'.repeat(2 * MIB);
    const refused = [
      await post({ input: long }),
      await post({ input: 'x', metadata: { long } }),
      await bench.rest.request<ErrorBody>('POST', '/memories', { text: long, images: [] }),
      await bench.rest.request<ErrorBody>('POST', '/tools/call', { toolName: 'echo', parameters: { text: long }, images: [png] }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.param])).toEqual([
      [413, '/input'],
      [413, '/input'],
      [413, '/text'],
      [413, '/parameters'],
    ]);
  });
});

it.each(MODEL_DOORS)('names the images of its message in run_start and in the run: %s', async (_door, say) => {
  const { events } = await say(bench, 'named', { images: [png, { path: 'shots/a.gif' }] });
  const [start] = events;
  const images = [
    { id: expect.stringMatching(/^img_/), mediaType: 'image/png', bytes: PNG.length },
    { id: expect.stringMatching(/^img_/), mediaType: 'image/gif', bytes: GIF.length },
  ];
  expect(start).toMatchObject({ type: 'run_start', data: { input: 'named', images } });
  const { body: run } = await bench.rest.request<{ images: unknown }>('GET', `/runs/${start?.runId}`);
  expect(run.images).toEqual(images);
  const { body: page } = await bench.rest.request<PageBody<{ runId: string; images?: unknown }>>('GET', '/runs?limit=1');
  expect(page.data[0]?.images).toEqual(images);
});

it('shows the same images again after a kill', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('killed', { images: [png] });
  await bench.a.waitFor('killed');
  await bench.gateway.restart();
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'seen' } });
  expect(bench.a.requests('killed')).toHaveLength(2);
  expect(sentTo('a', 'killed')).toStrictEqual([[{ type: 'text', text: 'killed' }, part('image/png', PNG)]]);
});

it('waits in the queue with its images', async () => {
  const client = await bench.connect();
  const { sessionId, runId } = await client.chat('slow');
  await bench.a.waitFor('slow');
  const queued = await client.chat('queued', { sessionId, images: [png] });
  bench.a.resume();
  await client.endOf(runId);
  await client.endOf(queued.runId);
  const start = client.eventsOf(queued.runId).find(({ type }) => type === 'run_start');
  expect(start).toMatchObject({ data: { images: [{ mediaType: 'image/png', bytes: PNG.length }] } });
  expect(sentTo('a', 'queued').at(-1)).toStrictEqual([{ type: 'text', text: 'queued' }, part('image/png', PNG)]);
});

it('shows the images of an answer to a question beside the answer', async () => {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('asks');
  const { data: asked } = await client.waitFor('clarify_request', event => event.runId === runId);
  const answered = await bench.rest.request('POST', `/clarifications/${asked.requestId}`, { answer: 'this one', images: [png] });
  expect(answered.status).toBe(200);
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'seen' });
  const text = 'The images of my answer.';
  expect(sentTo('a', text).at(-1)).toStrictEqual([{ type: 'text', text }, part('image/png', PNG)]);
  const shown = client.eventsOf(runId).find(({ type, data }) => type === 'message_end' && 'role' in data && data.role === 'user');
  expect(shown).toMatchObject({ data: { content: text, images: [{ mediaType: 'image/png', bytes: PNG.length }] } });
  expect(imagesOf(await bench.rest.history(sessionId))).toMatchObject([{ mediaType: 'image/png' }]);
});

it('keeps the images of a message into a run that ends before it reads the message', async () => {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('tells');
  await bench.a.waitFor('tells');
  await client.send({ type: 'steer', runId, text: 'and this', images: [{ path: 'shots/a.gif' }] });
  await client.send({ type: 'chat', text: 'and that', sessionId, images: [png], onBusy: 'steer' });
  bench.a.resume();
  await until(() => bench.a.requests('and that').length > 0);
  expect(sentTo('a', 'and this').at(-1)).toStrictEqual([{ type: 'text', text: 'and this' }, part('image/gif', GIF)]);
  expect(sentTo('a', 'and that').at(-1)).toStrictEqual([{ type: 'text', text: 'and that' }, part('image/png', PNG)]);
});

it('copies images with a fork, and deletes them with their session', async () => {
  const { sessionId } = await overRest(bench, 'forked', { images: [png] });
  const { body: fork } = await bench.rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`, {});
  const [image] = imagesOf(await bench.rest.history(fork.id));
  const id = image?.id ?? '';
  expect((await readImage(fork.id, id)).bytes.equals(PNG)).toBe(true);
  await bench.rest.request('DELETE', `/sessions/${sessionId}`);
  expect((await readImage(sessionId, id)).status).toBe(404);
  expect((await readImage(fork.id, id)).bytes.equals(PNG)).toBe(true);
  await overRest(bench, 'in the fork', { sessionId: fork.id });
  expect(sentTo('a', 'in the fork')[0]).toStrictEqual([{ type: 'text', text: 'forked' }, part('image/png', PNG)]);
});

it('says in GET /models which models can see', async () => {
  const { body } = await bench.rest.request<PageBody<{ id: string; images: boolean }>>('GET', '/models');
  expect(body.data.map(({ id, images }) => [id, images])).toStrictEqual([
    ['a', true],
    ['b', false],
  ]);
});

// The last one: afterwards the first model cools down.
it('gives a stand-in that cannot see the line of text', async () => {
  const { end } = await overRest(bench, 'a fails', { images: [png] });
  expect(end).toMatchObject({ status: 'completed', text: 'seen' });
  expect(sentTo('b', 'a fails')).toStrictEqual(['a fails\n[image 1: image/png, 16 B; this model cannot see images]']);
});
