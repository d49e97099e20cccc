/**
 * Replays a recorded conversation against the gateway of today: what it answers must be equal, field by field. The record,
 * `transcript.json`, is what version 0.1.0 answered. Ids, times and sentences are masked; names, types, order and values are not.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ChatClient } from '../support/chat_client';

const RECORD = join(__dirname, 'transcript.json');
const ABLE = { capabilities: ['clarify@1', 'approval@1'], locale: 'en' };
/** One piece, so that an answer is one text_delta whatever the timing. */
const WHOLE = { chunkSize: 10_000, usage: { inputTokens: 20, outputTokens: 5 } };

type Scene = (bench: AgentBench) => Promise<unknown>;

const call = (name: string, args: Record<string, unknown>, id: string) => ({ ...WHOLE, toolCalls: [{ name, arguments: args, id }] });

const chat = async (client: ChatClient, text: string, more = {}): Promise<{ ack: unknown; runId: string }> => {
  const ack = await client.send({ type: 'chat', text, ...more });
  return { ack, runId: String(ack['runId']) };
};

const eventsOf = async (client: ChatClient, runId: string): Promise<RunEvent[]> => {
  await client.endOf(runId);
  return client.eventsOf(runId);
};

const SCENES: Record<string, Scene> = {
  'a chat with tools and a plan': async ({ model, connect }) => {
    model.onTurn(
      'look around',
      call('todo', { todos: [{ id: '1', content: 'Read', status: 'in_progress' }] }, 'call_plan'),
      call('read_file', { path: 'a.txt' }, 'call_read'),
      call('patch', { path: 'a.txt', old_string: 'alpha', new_string: 'beta' }, 'call_patch'),
      call('read_file', { path: 'none.txt' }, 'call_missing'),
      { ...WHOLE, text: 'Done.', reasoning: 'It is simple.' },
    );
    const client = await connect(ABLE);
    const { ack, runId } = await chat(client, 'look around', { clientMessageId: 'message-1' });
    const events = await eventsOf(client, runId);
    const again = await client.send({ type: 'chat', text: 'look around', clientMessageId: 'message-1' });
    const late = await connect(ABLE);
    const [first] = events;
    const subscribed = await late.send({ type: 'subscribe', sessionId: first?.sessionId, after: { runId, seq: 3 } });
    await late.endOf(runId);
    return { ack, events, again, subscribed, replayed: late.eventsOf(runId) };
  },
  'a question that is answered': async ({ model, connect }) => {
    model.onTurn('which one', call('clarify', { question: 'Which?', choices: ['red', 'blue'] }, 'call_ask'), {
      ...WHOLE,
      text: 'Red it is.',
    });
    const client = await connect(ABLE);
    const { runId } = await chat(client, 'which one');
    const asked = await client.waitFor('clarify_request');
    const { requestId } = asked.data;
    const answered = await client.send({ type: 'clarify_response', sessionId: asked.sessionId, requestId, answer: 'red' });
    const events = await eventsOf(client, runId);
    const late = await client.send({ type: 'clarify_response', sessionId: asked.sessionId, requestId, answer: 'blue' });
    return { answered, events, late };
  },
  'an approval that is denied': async ({ model, connect }) => {
    model.onTurn('clear it', call('bash', { command: 'rm -rf build' }, 'call_rm'), { ...WHOLE, text: 'Left as it is.' });
    const client = await connect(ABLE);
    const { runId } = await chat(client, 'clear it');
    const asked = await client.waitFor('approval_request');
    const { requestId } = asked.data;
    const denied = await client.send({
      type: 'approval_response',
      sessionId: asked.sessionId,
      requestId,
      decision: 'deny',
      reason: 'not now',
    });
    return { denied, events: await eventsOf(client, runId) };
  },
  'a run that is cancelled, and one that waits': async ({ model, connect }) => {
    model.onTurn('take long', { ...WHOLE, text: 'never seen', pauseAfter: 0 });
    model.onTurn('come next', { ...WHOLE, text: 'Next.' });
    const client = await connect(ABLE);
    const first = await chat(client, 'take long');
    const [, sessionId] = [first, (await client.waitFor('run_start')).sessionId];
    await model.waitFor('take long');
    const rejected = await client.send({ type: 'chat', text: 'come next', sessionId, onBusy: 'reject' });
    const queued = await chat(client, 'come next', { sessionId, onBusy: 'enqueue' });
    const cancelled = await client.send({ type: 'cancel', runId: first.runId });
    const end = await eventsOf(client, first.runId);
    return { ack: first.ack, rejected, queued: queued.ack, cancelled, end, next: await eventsOf(client, queued.runId) };
  },
  'messages that are refused': async ({ connect }) => {
    const client = await connect(ABLE);
    return {
      ping: await client.send({ type: 'ping' }),
      unknown: await client.send({ type: 'shout' }),
      empty: await client.send({ type: 'chat', text: ' ' }),
      extra: await client.send({ type: 'chat', text: 'hi', loud: true }),
      foreign: await client.send({ type: 'subscribe', sessionId: 'ses_none' }),
    };
  },
  'a REST run, its records and errors': async ({ model, rest }) => {
    model.onTurn('ask me', call('clarify', { question: 'How many?', choices: ['one', 'two'] }, 'call_many'), { ...WHOLE, text: 'Two.' });
    const get = async (path: string) => (await rest.request<unknown>('GET', path)).body;
    const { status, body } = await rest.run({ input: 'ask me', metadata: { team: 'red' } });
    const { runId, sessionId } = body;
    const key = { 'idempotency-key': 'key-1' };
    model.onTurn('say it once', { ...WHOLE, text: 'Once.' });
    const once = (await rest.run({ input: 'say it once' }, key)).body;
    const twice = (await rest.run({ input: 'say it once' }, key)).body;
    return {
      status,
      body,
      run: await get(`/runs/${runId}`),
      events: await get(`/runs/${runId}/events?limit=100`),
      streamed: await rest.stream('GET', `/runs/${runId}/events`),
      session: await get(`/sessions/${sessionId}`),
      messages: await get(`/sessions/${sessionId}/messages`),
      questions: await get(`/clarifications?sessionId=${sessionId}`),
      once,
      twice,
      missing: await get('/runs/run_none'),
      invalid: (await rest.request('POST', '/runs', { input: 7 })).body,
      unread: (await rest.request('POST', '/runs', '{')).body,
    };
  },
  'the operations of the API': async ({ rest }) => {
    const { body } = await rest.request<{ paths: Record<string, Record<string, { operationId: string; responses: object }>> }>(
      'GET',
      '//openapi.json',
    );
    const operations = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => `${method} ${path} ${operationId} ${Object.keys(responses)}`),
    );
    return operations.toSorted();
  },
};

/** Replaces ids by their order, times and durations by their kind, and prose by `<text>`. */
function masked(value: unknown): unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    const prefix = /^[a-z]+_/.exec(id)?.[0] ?? 'id_';
    if (!ids.has(id)) ids.set(id, `<${prefix}${ids.size + 1}>`);
    return ids.get(id);
  };
  const walk = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map(item => walk(item, key));
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, walk(item, name)]));
    }
    if (typeof node === 'number') return /(Ms|^bytes)$/.test(key) ? '<number>' : node;
    if (typeof node !== 'string') return node;
    if (/^http:\/\/127\.0\.0\.1:\d+\//.test(node)) return node.replace(/^http:\/\/[^/]+/, '<url>');
    if (/^\d{4}-\d\d-\d\dT/.test(node)) return '<time>';
    if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(node) || /^(ses|run|msg|call)_[0-9A-Za-z-]{12,}$/.test(node)) return idOf(node);
    return ['message', 'result', 'label', 'reason', 'title', 'diff', 'content', 'nextCursor', 'model'].includes(key) && node.includes(' ')
      ? '<text>'
      : node;
  };
  return walk(value, '');
}

describe('the recorded transcript', () => {
  const record: Record<string, unknown> = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench({ env: { NETA_SANDBOX: 'none' }, files: { 'a.txt': 'alpha\n' } });
  });
  afterAll(() => bench?.stop());

  it.each(Object.entries(SCENES))('replays equal: %s (beaver.events)', async (name, play) => {
    const played = masked(await play(bench));
    if (process.env['NETA_RECORD'] === '1') {
      record[name] = played;
      writeFileSync(RECORD, `${JSON.stringify(record, null, 1)}\n`);
    }
    expect(played).toEqual(record[name]);
  });
});
