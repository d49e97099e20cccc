/** Models of models.yaml: a request chooses one and its parameters, and a model that fails is replaced by the next. */
import type { WireError } from '../../src/errors';
import { expectChinese } from '../support/chinese';
import { dataOf, MODEL_DOORS, MODEL_KEYS, type ModelBench, type Say, startModelBench, TWO_MODELS } from '../support/model_bench';
import type { PageBody } from '../support/rest_client';
import { sendTranscript, startTranscriptionServer, type TranscriptionServer } from '../support/transcription_server';
import { until } from '../support/until';

interface ModelRow {
  id: string;
  state: string;
  reason?: string;
  retryAt?: string;
  [field: string]: unknown;
}

const MODELS = `
models:
  - id: a
    baseUrl: "{a}"
    apiKeyEnv: KEY_A
    model: model-a
    parameters: { temperature: 0.1, topP: 0.5, maxOutputTokens: 900, extra: { from: model, also: 1 } }
    contextWindow: 32000
    price: { input: 0.25, output: 2 }
  - id: b
    label: Second
    baseUrl: "{b}"
    apiKeyEnv: KEY_B
    model: model-b
    reasoning: { off: { thinking: { type: disabled } }, low: { thinking: { type: enabled } } }
    maxTokensField: max_completion_tokens
fallback: [a, b]
`;
const PROFILES = { default: 'parameters: { topP: 0.6, seed: 7 }', second: 'model: b', plain: 'model: another-name' };

let bench: ModelBench;
let speech: TranscriptionServer;

const modelsOf = async ({ rest }: ModelBench) => (await rest.request<PageBody<ModelRow>>('GET', '/models')).body.data;
const bodyOf = (bench: ModelBench, server: 'a' | 'b', text: string) => bench[server].requests(text).at(-1)?.body;

describe('models.yaml', () => {
  beforeAll(async () => {
    speech = await startTranscriptionServer();
    const env = { NETA_TRANSCRIPTION_MODEL: 'whisper-x', NETA_TRANSCRIPTION_BASE_URL: speech.baseUrl, OPENAI_API_KEY: 'sk-not-for-others' };
    bench = await startModelBench({
      models: MODELS,
      profiles: PROFILES,
      env: { ...env, NETA_TRANSCRIPTION_API_KEY: 'sk-speech-0123456789' },
    });
    for (const server of [bench.a, bench.b]) server.onTurn(/./, 'fine');
  });
  afterAll(async () => {
    await bench?.stop();
    await speech?.stop();
  });

  describe('a recording', () => {
    const send = async (body: Uint8Array<ArrayBuffer>, type = 'audio/wav', query = '') => {
      const url = `${bench.gateway.url}/api/v1/transcriptions${query}`;
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
      return { status: answer.status, body: (await answer.json()) as { text?: string; error?: WireError } };
    };

    it('becomes text at the transcription model, which gets its type, the language and its own key', async () => {
      speech.answerWith(sendTranscript(' What was said.\n'));
      expect(await send(Uint8Array.of(1, 2, 3), 'audio/webm;codecs=opus', '?language=zh-CN')).toEqual({
        status: 200,
        body: { text: 'What was said.' },
      });
      const { path, headers, fields, file } = speech.requests.at(-1) ?? {};
      expect({ path, fields, key: headers?.authorization }).toEqual({
        path: '/v1/audio/transcriptions',
        fields: { model: 'whisper-x', response_format: 'json', language: 'zh' },
        key: 'Bearer sk-speech-0123456789',
      });
      expect(file).toEqual({ name: 'speech.webm', type: 'audio/webm', bytes: Buffer.of(1, 2, 3) });
      expect((await bench.rest.request('GET', '/info')).body).toMatchObject({
        transcription: { provider: 'openai-compatible', model: 'whisper-x' },
      });
    });

    it('counts in the usage of its caller, without a price when the model is unknown', async () => {
      const usageOf = async () => {
        const { body } = await bench.rest.request<{ data: { key: string }[] }>('GET', '/usage?by=model');
        return body.data.find(({ key }) => key === 'whisper-x');
      };
      const before = (await usageOf()) as { inputTokens: number; outputTokens: number } | undefined;
      const usage = { type: 'tokens', input_tokens: 14, output_tokens: 5, total_tokens: 19 };
      speech.answerWith(response =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: 'Heard.', usage })),
      );
      expect((await send(Uint8Array.of(1))).body).toEqual({ text: 'Heard.' });
      expect(await usageOf()).toMatchObject({
        runs: 0,
        inputTokens: (before?.inputTokens ?? 0) + 14,
        outputTokens: (before?.outputTokens ?? 0) + 5,
        unpriced: true,
      });
    });

    it.each([
      ['no sound', [Uint8Array.of(1), 'application/json'], 415, 'unsupported_media_type'],
      ['nothing', [new Uint8Array(0)], 400, 'invalid_request'],
      ['more than 25 MiB', [new Uint8Array(25 * 1024 * 1024 + 1)], 413, 'too_large'],
      ['an unknown language', [Uint8Array.of(1), 'audio/wav', '?language=english!'], 400, 'invalid_request'],
    ] as const)('is refused when it is %s', async (_, [body, type, query], status, code) => {
      const count = speech.requests.length;
      expect(await send(body, type, query)).toMatchObject({ status, body: { error: { code } } });
      expect(speech.requests).toHaveLength(count);
    });

    it("fails with the server's own words and without the key", async () => {
      const quoted = JSON.stringify({ error: { message: 'no such model; key sk-speech-0123456789', code: 'model_not_found' } });
      speech.answerWith(response => response.writeHead(404, { 'content-type': 'application/json' }).end(quoted));
      const { status, body } = await send(Uint8Array.of(1));
      expect({ status, code: body.error?.code }).toEqual({ status: 502, code: 'model_refused' });
      expect(body.error?.message).toMatch(/no such model/);
      expect(body.error?.message).not.toContain('sk-speech');
      speech.answerWith(response => response.end('<html>not an API</html>'));
      expect((await send(Uint8Array.of(1))).body.error).toMatchObject({ code: 'model_bad_response' });
    });

    it('waits while four others of the tenant are transcribed, and its place is free again when a caller leaves', async () => {
      const held: (() => void)[] = [];
      speech.answerWith(response => void held.push(() => sendTranscript('held')(response)));
      const leave = new AbortController();
      const url = `${bench.gateway.url}/api/v1/transcriptions`;
      const others = Array.from({ length: 4 }, (_, i) =>
        fetch(url, { method: 'POST', headers: { 'content-type': 'audio/wav' }, body: 'x', signal: i === 0 ? leave.signal : null }).catch(
          () => undefined,
        ),
      );
      await until(() => held.length === 4);
      expect(await send(Uint8Array.of(1))).toMatchObject({ status: 429, body: { error: { code: 'rate_limited', retryAfterMs: 2_000 } } });
      leave.abort();
      speech.answerWith(sendTranscript('free'));
      await until(async () => (await send(Uint8Array.of(1))).status === 200);
      for (const answer of held) answer();
      await Promise.all(others);
    });
  });

  describe.each(MODEL_DOORS)('over %s', (door, say) => {
    it('sends the parameters of model, profile, session and request, the last one first (neta.executor, nanoclaw.executor)', async () => {
      const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', {
        parameters: { max_tokens: 800, extra: { from: 'session' } },
      });
      const text = `parameters ${door}`;
      const { end } = await say(bench, text, { sessionId: session.id, parameters: { temperature: 1.5, stop: 'END' } });
      expect(end).toMatchObject({ status: 'completed', text: 'fine' });
      expect(bodyOf(bench, 'a', text)).toMatchObject({
        model: 'model-a',
        temperature: 1.5,
        top_p: 0.6,
        max_tokens: 800,
        seed: 7,
        stop: ['END'],
        from: 'session',
        also: 1,
      });
    });

    it('asks the model that the request names, by id or by the name of its server, for this run only', async () => {
      const text = `named ${door}`;
      const { sessionId, events } = await say(bench, text, { model: 'b', parameters: { maxTokens: 50 } });
      expect(events[0]).toMatchObject({ type: 'run_start', data: { model: 'b' } });
      expect(bodyOf(bench, 'b', text)).toMatchObject({ model: 'model-b', max_completion_tokens: 50 });
      const { events: next } = await say(bench, text, { sessionId });
      expect(next[0]).toMatchObject({ data: { model: 'a' } });
      const { events: byName } = await say(bench, text, { model: 'model-b' });
      expect(byName[0]).toMatchObject({ data: { model: 'b' } });
    });

    it.each([
      [{ model: 'nothing' }, 'not_found', '/model'],
      [{ parameters: { temperature: 3 } }, 'invalid_request', '/parameters/temperature'],
      [{ parameters: { topK: 3 } }, 'invalid_request', '/parameters/topK'],
      [{ parameters: { topP: 0.1, top_p: 0.2 } }, 'invalid_request', '/parameters/top_p'],
      [{ parameters: { extra: { messages: [] } } }, 'invalid_request', '/parameters/extra/messages'],
    ])('refuses %j and names the field', async (fields, code, param) => {
      await expect(say(bench, 'wrong', fields)).rejects.toMatchObject({ code, param });
    });
  });

  it('sends each model only its own key', async () => {
    const [, say] = MODEL_DOORS[1] as [string, Say];
    await say(bench, 'keys', { model: 'a' });
    await say(bench, 'keys', { model: 'b' });
    expect(bench.a.requests('keys').at(-1)?.headers.authorization).toBe(`Bearer ${MODEL_KEYS.KEY_A}`);
    expect(bench.b.requests('keys').at(-1)?.headers.authorization).toBe(`Bearer ${MODEL_KEYS.KEY_B}`);
  });

  it('uses the model of the session until it is taken back', async () => {
    const [, say] = MODEL_DOORS[1] as [string, Say];
    const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', { agent: 'default' });
    const choose = (change: unknown) => bench.rest.request<{ model?: string }>('PATCH', `/sessions/${session.id}`, change);
    expect((await choose({ model: 'b' })).body).toMatchObject({ model: 'b' });
    expect((await say(bench, 'chosen', { sessionId: session.id })).events[0]).toMatchObject({ data: { model: 'b' } });
    expect((await choose({ title: 'still' })).body).toMatchObject({ model: 'b' });
    expect((await choose({ model: null })).body).not.toHaveProperty('model');
    expect((await say(bench, 'chosen', { sessionId: session.id })).events[0]).toMatchObject({ data: { model: 'a' } });
    expect(await choose({ model: 'nothing' })).toMatchObject({ status: 404, body: { error: { param: '/model' } } });
  });

  it('a profile names a model by id, or one that the first server knows', async () => {
    const [, say] = MODEL_DOORS[1] as [string, Say];
    await say(bench, 'second profile', { agent: 'second' });
    expect(bodyOf(bench, 'b', 'second profile')).toMatchObject({ model: 'model-b' });
    await say(bench, 'plain profile', { agent: 'plain' });
    expect(bodyOf(bench, 'a', 'plain profile')).toMatchObject({ model: 'another-name' });
    const { body } = await bench.rest.request<PageBody<{ name: string; model: string }>>('GET', '/agents');
    expect(Object.fromEntries(body.data.map(({ name, model }) => [name, model]))).toEqual({
      default: 'a',
      plain: 'another-name',
      second: 'b',
    });
  });

  it('maps the thinking level to the fields that the model takes', async () => {
    const [, say] = MODEL_DOORS[1] as [string, Say];
    const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', { thinkingLevel: 'high' });
    await say(bench, 'think', { sessionId: session.id, model: 'b' });
    expect(bodyOf(bench, 'b', 'think')).toMatchObject({ thinking: { type: 'enabled' } });
    expect(bodyOf(bench, 'b', 'think')).not.toHaveProperty('reasoning_effort');
    await say(bench, 'think', { sessionId: session.id, model: 'a' });
    expect(bodyOf(bench, 'a', 'think')).toMatchObject({ reasoning_effort: 'high' });
  });

  it('lists the models with what a page needs, and no address', async () => {
    const rows = await modelsOf(bench);
    expect(rows).toEqual([
      {
        id: 'a',
        provider: 'openai-compatible',
        model: 'model-a',
        default: true,
        contextWindow: 32_000,
        images: false,
        files: false,
        reasoningLevels: ['minimal', 'low', 'medium', 'high'],
        price: { input: 0.25, output: 2 },
        state: 'ok',
      },
      {
        id: 'b',
        label: 'Second',
        provider: 'openai-compatible',
        model: 'model-b',
        default: false,
        contextWindow: 128_000,
        images: false,
        files: false,
        reasoningLevels: ['low'],
        state: 'ok',
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1');
  });
});

describe('a model that fails', () => {
  const [socket, rest] = MODEL_DOORS.map(([, say]) => say) as [Say, Say];

  beforeEach(async () => {
    bench = await startModelBench({ models: TWO_MODELS });
  });
  afterEach(() => bench?.stop());

  it.each<[status: number, door: string, say: Say]>([
    [401, 'REST', rest],
    [404, 'Socket.IO', socket],
    [429, 'REST', rest],
    [500, 'Socket.IO', socket],
  ])('is replaced by the next one when it answers %i, over %s, and is not asked again while it cools down', async (status, _door, say) => {
    bench.a.onTurn(/./, { error: { status } });
    bench.b.onTurn(/./, 'from b');
    const first = await say(bench, 'hello');
    expect(first.end).toMatchObject({ status: 'completed', text: 'from b' });
    const [change, ...others] = dataOf(first.events, 'model_fallback');
    expect(others).toEqual([]);
    expect(change).toMatchObject({ from: 'a', to: 'b', reason: expect.stringContaining(`HTTP ${status}`) });
    expect(dataOf(first.events, 'usage')).toEqual([expect.objectContaining({ model: 'b' })]);
    const asked = bench.a.requests().length;
    const second = await say(bench, 'again', { sessionId: first.sessionId });
    expect(second.end).toMatchObject({ text: 'from b' });
    expect(dataOf(second.events, 'model_fallback')).toEqual([expect.objectContaining({ from: 'a', to: 'b' })]);
    expect(bench.a.requests()).toHaveLength(asked);
    const rows = await modelsOf(bench);
    expect(rows).toMatchObject([
      { id: 'a', state: 'cooling', retryAt: expect.any(String) },
      { id: 'b', state: 'ok' },
    ]);
    expect(JSON.stringify([rows, first.events, bench.gateway.output()])).not.toContain(MODEL_KEYS.KEY_A);
  });

  it('says once in a run which model stands in, and keeps it for the later model calls', async () => {
    bench.a.onTurn(/./, { error: { status: 503 } });
    bench.b.onTurn('look', { toolCalls: [{ name: 'list_dir', arguments: {} }] }, 'b has looked');
    const { events, end } = await socket(bench, 'look');
    expect(end).toMatchObject({ status: 'completed', text: 'b has looked' });
    expect(dataOf(events, 'model_fallback')).toHaveLength(1);
    expect(bench.b.requests()).toHaveLength(2);
  });

  it('is not replaced when the request itself is wrong, and is named with its error when the others fail too', async () => {
    bench.a.onTurn('too odd', { error: { status: 400, message: 'this content is not supported' } });
    for (const say of [socket, rest]) {
      const { events, end } = await say(bench, 'too odd');
      expect(end).toMatchObject({ status: 'failed', error: { code: 'model_refused' } });
      expect(dataOf(events, 'model_fallback')).toEqual([]);
    }
    expect(bench.b.requests()).toEqual([]);
    expect(await modelsOf(bench)).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
    bench.a.onTurn('hello', { error: { status: 401 } });
    bench.b.onTurn('hello', { error: { status: 404 } });
    const { end } = await rest(bench, 'hello');
    expect(end.error).toMatchObject({ code: 'model_refused', message: expect.stringMatching(/a: .*HTTP 401.* b: .*HTTP 404/) });
  });

  it('is told in Chinese in a Chinese run', async () => {
    bench.a.onTurn(/./, { error: { status: 401, message: 'no key' } });
    bench.b.onTurn(/./, { error: { status: 404, message: 'no model' } });
    const { events, end } = await rest(bench, '你好', { locale: 'zh-CN' });
    expect(end.error?.message).toMatch(/^没有模型作答。a: .*b: /);
    for (const { reason } of dataOf(events, 'model_fallback')) expectChinese(String(reason));
    expectChinese(end.error?.message ?? '');
  });

  it('is not replaced once its text was shown', async () => {
    bench.a.onTurn('story', { text: 'Once upon a time', chunkSize: 4, pauseAfter: 2 });
    const client = await bench.connect();
    const { runId } = await client.chat('story');
    await client.waitForText(runId, 'Once upo');
    await bench.a.stop();
    expect((await client.endOf(runId)).data).toMatchObject({
      status: 'incomplete',
      reason: 'model_cut',
      error: { code: 'model_unreachable' },
    });
    expect(bench.b.requests()).toEqual([]);
  });
});

it('a model that fails is seen at the start, without delaying it, and in /readyz with the reason', async () => {
  const models = TWO_MODELS.replace('"{b}"', 'http://127.0.0.1:9/v1').replace('KEY_A', 'KEY_NOBODY_SET');
  bench = await startModelBench({ models });
  try {
    const warnings = async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings;
    await until(async () => (await warnings()).length === 2);
    expect(await warnings()).toEqual([
      expect.stringMatching(/^models\.yaml: a: .*KEY_NOBODY_SET.* is not set/),
      expect.stringMatching(/^models\.yaml: b: The model server cannot be reached: nothing listens/),
    ]);
    expect(await modelsOf(bench)).toMatchObject([
      { id: 'a', state: 'failing' },
      { id: 'b', state: 'failing' },
    ]);
    expect(bench.gateway.output()).toContain('the model b cannot be used');
    expect(bench.a.requests()).toEqual([]);
  } finally {
    await bench.stop();
  }
});

it('a run goes on with the model that it had, after kill -9 and although another is the first one now', async () => {
  bench = await startModelBench({ models: TWO_MODELS });
  try {
    bench.a.onTurn('work', { toolCalls: [{ name: 'bash', arguments: { command: 'echo started; sleep 60' } }] }, 'a goes on');
    const client = await bench.connect();
    const { runId, sessionId } = await client.chat('work');
    await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
    await bench.gateway.kill();
    await bench.writeModels(TWO_MODELS.replace('[a, b]', '[b, a]'));
    await bench.gateway.restart();
    const again = await bench.connect();
    await again.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
    expect((await again.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'a goes on' });
    expect(bench.b.requests()).toEqual([]);
  } finally {
    await bench.stop();
  }
});

describe('two models', () => {
  beforeAll(async () => {
    const profiles = { default: 'members: [scout, smith]', scout: 'toolsets: [base]', smith: 'model: a\ntoolsets: [base]' };
    bench = await startModelBench({ models: TWO_MODELS, profiles });
  });
  // The last test of the group writes another models.yaml.
  afterAll(() => bench?.stop());

  it('the answer to a question goes to the model and the parameters that asked it', async () => {
    bench.b.onTurn('ask', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] });
    bench.b.onTurn('left', 'b got it');
    const [, say] = MODEL_DOORS[1] as [string, Say];
    const { end } = await say(bench, 'ask', { model: 'b', parameters: { temperature: 0.3 } });
    await bench.rest.request('POST', `/clarifications/${end.clarification?.requestId}`, { answer: 'left' });
    expect((await bench.b.waitFor('left')).body).toMatchObject({ model: 'model-b', temperature: 0.3 });
  });

  it('a crew member inherits model, parameters and thinking level, unless its profile names a model', async () => {
    const tasks = ['scout', 'smith'].map(member => ({ member, task: `task of ${member}` }));
    bench.b.onTurn('lead them', { toolCalls: [{ name: 'delegate_parallel', arguments: { tasks } }] }, 'both are done');
    for (const server of [bench.a, bench.b]) server.onTurn(/task of/, 'a report');
    const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', { thinkingLevel: 'high' });
    const [, say] = MODEL_DOORS[1] as [string, Say];
    const { end } = await say(bench, 'lead them', { sessionId: session.id, model: 'b', parameters: { temperature: 0.4 } });
    expect(end).toMatchObject({ status: 'completed', text: 'both are done' });
    const inherited = { temperature: 0.4, reasoning_effort: 'high' };
    expect(bodyOf(bench, 'b', 'task of scout')).toMatchObject({ ...inherited, model: 'model-b' });
    expect(bodyOf(bench, 'a', 'task of smith')).toMatchObject({ ...inherited, model: 'model-a' });
  });

  it('reads a changed models.yaml again and keeps the old version of a wrong one', async () => {
    for (const server of [bench.a, bench.b]) server.onTurn(/./, 'fine');
    const ids = async () => (await modelsOf(bench)).map(({ id }) => id);
    const { body: session } = await bench.rest.request<{ id: string }>('POST', '/sessions', { model: 'b' });
    await bench.writeModels('models: [ { id: other, baseUrl: "{b}", model: model-b } ]');
    await until(async () => (await ids()).join() === 'other');
    const [, say] = MODEL_DOORS[1] as [string, Say];
    expect((await say(bench, 'after the change')).events[0]).toMatchObject({ data: { model: 'other' } });
    // The session chose a model that is gone.
    const { events } = await say(bench, 'after the change', { sessionId: session.id });
    expect(events[0]).toMatchObject({ data: { model: 'other' } });
    await bench.writeModels('models:\n  - id: other\n    baseUrl: "{b}"\n    model: model-b\n    temprature: 1\n');
    const warnings = async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings;
    await until(async () => (await warnings()).length === 1);
    expect(await warnings()).toEqual([
      expect.stringMatching(/^models\.yaml: \/models\/0\/temprature: there is no field temprature \(line 5\)/),
    ]);
    expect(await ids()).toEqual(['other']);
  });
});
