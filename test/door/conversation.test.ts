/** One conversation over every door: the clients differ, the events and the result are the same. */
import type { RunEvent } from '../../src/port/run_event';
import { connectChat } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';

interface Held {
  sessionId: string;
  events: RunEvent[];
}

/** Sends one message through a door and returns every event of the run. */
type Converse = (url: string, text: string) => Promise<Held>;

const overSocket: Converse = async (url, text) => {
  const client = await connectChat(url);
  const { runId, sessionId } = await client.chat(text);
  await client.waitFor('run_end');
  client.close();
  return { sessionId, events: client.eventsOf(runId) };
};

const overRestWait: Converse = async (url, text) => {
  const rest = createRestClient(url);
  const { body } = await rest.run({ input: text });
  const page = await rest.request<{ data: RunEvent[] }>('GET', `/runs/${body.runId}/events?limit=1000`);
  return { sessionId: body.sessionId, events: page.body.data };
};

const overRestStream: Converse = async (url, text) => {
  const events = await createRestClient(url).stream('POST', '/runs', { input: text });
  return { sessionId: events[0]?.sessionId ?? '', events };
};

const overRestAsync: Converse = async (url, text) => {
  const rest = createRestClient(url);
  const accepted = await rest.run({ input: text }, { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const events = await rest.stream('GET', `${accepted.headers.get('location')?.replace('/api/v1', '')}/events`);
  return { sessionId: accepted.body.sessionId, events };
};

describe.each([
  ['Socket.IO', overSocket],
  ['REST wait', overRestWait],
  ['REST stream', overRestStream],
  ['REST respond-async and events', overRestAsync],
])('a conversation over %s (neta.executor, beaver.events)', (door, converse) => {
  let model: MockModel;
  let gateway: Gateway;

  beforeAll(async () => {
    model = await startMockModel();
    gateway = await startGateway({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' }, files: { 'a.txt': 'alpha\n' } });
  });

  afterAll(async () => {
    await gateway?.stop();
    await model?.stop();
  });

  it('streams text, runs the tools and ends with one run_end, with the same gap-free events on every door', async () => {
    model.onTurn(
      'please look',
      {
        text: 'I will look.',
        toolCalls: [
          { name: 'list_dir', arguments: {} },
          { name: 'read_file', arguments: { path: 'a.txt' } },
        ],
      },
      { text: 'The file says alpha.', chunkSize: 5 },
    );
    const { events, sessionId } = await converse(gateway.url, 'please look');
    expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i + 1));
    expect(new Set(events.map(event => event.sessionId))).toEqual(new Set([sessionId]));
    const types = events.map(event => event.type).filter(type => type !== 'text_delta');
    const tools = ['tool_call_start', 'tool_call_start', 'tool_call_end', 'tool_call_end'];
    expect(types).toEqual(['run_start', 'message_end', 'usage', ...tools, 'message_end', 'usage', 'run_end']);
    const text = events.flatMap(event => (event.type === 'text_delta' ? [event.data.text] : [])).join('');
    expect(text).toBe('I will look.The file says alpha.');
    const end = events.at(-1);
    expect(end).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'The file says alpha.' } });
    const doorName = door.startsWith('Socket') ? 'socketio' : 'rest';
    expect(events[0]).toMatchObject({ type: 'run_start', data: { door: doorName, agent: 'default', input: 'please look' } });
    const request = model.requests('please look').at(-1);
    expect(request?.toolResults[1]).toContain('alpha');
  });
});
