/** A conversation that moves between models of different APIs, in both directions, because one of them fails. */

import { createObserver } from '../../src/adapter/local/node/observer';
import { createModelClients } from '../../src/adapter/model_clients';
import type { ChatMessage, ModelChange } from '../../src/port/llm';
import type { ModelApi } from '../../src/port/model_apis';
import { ModelCatalog } from '../../src/service/model/model_catalog';
import { ModelRouter } from '../../src/service/model/model_router';
import { createManualClock } from '../support/manual_clock';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { chatWire } from '../support/wires/chat_wire';
import { type Served, startWireServer, type WireServer } from '../support/wires/wire_server';
import { ask } from './openai/ask';

const LONG_MS = 60_000;
const servers: WireServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map(server => server.stop())));

const TOOLS = [{ type: 'function' as const, function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }];
const look = (id: string, proof?: string): Served => ({
  parts: [...(proof === undefined ? [] : [{ thought: ['I look.'], proof }]), { call: { id, name: 'look', args: ['{"at":1}'] } }],
});
const FAILS: Served = { refuse: 'overloaded', headers: { 'retry-after': '3600' } };

/** Opens two models that stand in for each other; each answers its requests one after the other. */
async function openModels(claude: [Served, ...Served[]], other: [Served, ...Served[]]) {
  const [claudeServer, otherServer] = [await startWireServer(anthropicWire), await startWireServer(chatWire)];
  servers.push(claudeServer, otherServer);
  const [claudeAt, otherAt] = [claudeServer.serve(...claude), otherServer.serve(...other)];
  const clock = createManualClock();
  const times = { connectMs: LONG_MS, firstByteMs: LONG_MS, idleMs: LONG_MS, totalMs: LONG_MS };
  let ids = 0;
  const clients = createModelClients({ ids: { next: kind => `${kind}_own_${++ids}`, uuid: () => 'uuid' }, times });
  const model = (id: string, api: ModelApi, baseUrl: string) => ({ id, api, baseUrl, model: id, parameters: {} });
  const models = [model('claude-opus-4-5', 'anthropic', claudeAt.baseUrl), model('gpt-5', 'chat', otherAt.baseUrl)];
  const catalog = new ModelCatalog(
    { clients, readSecret: () => undefined, contextTokens: 1_000 },
    { models, fallback: models.map(({ id }) => id), source: 'test' },
  );
  const router = new ModelRouter({
    catalog,
    clock,
    priceList: { findCost: () => undefined, describe: () => undefined },
    observer: createObserver({ clock, onError: () => {} }),
    steps: { nextStep: () => undefined },
    failpoints: { reach: () => undefined },
    onError: () => {},
  });
  return { router, clock, claudeAt, otherAt };
}

it('goes from Claude to chat completions and back in one turn; thoughts and ids stay with the server that wrote them', async () => {
  const { router, clock, claudeAt, otherAt } = await openModels(
    [look('toolu_1', 'cHJvb2Y='), FAILS, { parts: [{ text: ['Both are seen.'] }] }],
    [look('toolu_1')],
  );
  const changes: string[] = [];
  const sink = { onText: () => {}, onReasoning: () => {}, onFallback: ({ from, to }: ModelChange) => void changes.push(`${from} > ${to}`) };
  const history: ChatMessage[] = [{ role: 'user', content: 'Look twice.' }];
  const step = async () => {
    const { message, answeredBy } = await router.stream(ask('', { messages: [...history], tools: TOOLS, thinkingLevel: 'low' }), sink);
    history.push(JSON.parse(JSON.stringify(message)) as ChatMessage);
    for (const { id } of message.tool_calls ?? []) history.push({ role: 'tool', tool_call_id: id, content: `seen ${history.length}` });
    return answeredBy;
  };
  expect(await step()).toBeUndefined();
  expect(await step()).toBe('gpt-5');
  expect(JSON.stringify(otherAt.bodies[0])).not.toMatch(/cHJvb2Y=|I look/);
  clock.advance(2 * LONG_MS);
  expect(await step()).toBeUndefined();
  expect(changes).toEqual(['claude-opus-4-5 > gpt-5']);
  const last = claudeAt.requests.at(-1);
  // Claude gets its own thought back, and each call of the turn has an id of its own.
  const parts = last?.messages.flatMap(({ parts: own }) => own) ?? [];
  expect(parts.slice(0, 4)).toEqual(['Look twice.', 'thought:I look.:cHJvb2Y=', 'call:toolu_1:look:{"at":1}', 'result:toolu_1:seen 2']);
  const [, secondId] = parts[4]?.split(':') ?? [];
  expect(secondId).not.toBe('toolu_1');
  expect(parts.slice(4)).toEqual([`call:${secondId}:look:{"at":1}`, `result:${secondId}:seen 4`]);
  expect(history.at(-1)).toMatchObject({ role: 'assistant', content: 'Both are seen.' });
});
