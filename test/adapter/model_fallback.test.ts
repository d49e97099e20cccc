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
import { googleWire } from '../support/wires/google_wire';
import type { ModelWire } from '../support/wires/model_wire';
import { responsesWire } from '../support/wires/responses_wire';
import { type Served, startWireServer, type WireServer } from '../support/wires/wire_server';
import { ask } from './openai/ask';

const LONG_MS = 60_000;
const servers: WireServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map(server => server.stop())));

const TOOLS = [{ type: 'function' as const, function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }];
const look = (id: string, proof?: string): Served => ({
  parts: [...(proof === undefined ? [] : [{ thought: ['I look.'], proof }]), { call: { id, name: 'look', args: ['{"at":1}'] } }],
});
type Answers = [Served, ...Served[]];
const FAILS: Served = { refuse: 'overloaded', headers: { 'retry-after': '3600' } };

/** Opens two models that stand in for each other; each answers its requests one after the other. */
async function openModels(firstWire: ModelWire, otherWire: ModelWire, answers: { first: Answers; other: Answers }) {
  const [firstServer, otherServer] = [await startWireServer(firstWire), await startWireServer(otherWire)];
  servers.push(firstServer, otherServer);
  const [firstAt, otherAt] = [firstServer.serve(...answers.first), otherServer.serve(...answers.other)];
  const clock = createManualClock();
  const times = { connectMs: LONG_MS, firstByteMs: LONG_MS, idleMs: LONG_MS, totalMs: LONG_MS };
  let ids = 0;
  const clients = createModelClients({ ids: { next: kind => `${kind}_own_${++ids}`, uuid: () => 'uuid' }, times });
  // A cast: wires have the names of their APIs.
  const model = (id: string, { name, model: served }: ModelWire, baseUrl: string) => {
    return { id, api: name as ModelApi, baseUrl, model: served, parameters: {} };
  };
  const models = [model('first', firstWire, firstAt.baseUrl), model('other', otherWire, otherAt.baseUrl)];
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
  return { router, clock, firstAt, otherAt };
}

const PROOF = 'cHJvb2Y=';
const withProof = (wire: ModelWire, id: string): Served => look(id, wire.has.thoughts ? PROOF : undefined);

describe.each([
  { first: anthropicWire, other: chatWire },
  { first: chatWire, other: anthropicWire },
  { first: responsesWire, other: googleWire },
  { first: googleWire, other: responsesWire },
  { first: anthropicWire, other: responsesWire },
  { first: googleWire, other: anthropicWire },
])('from $first.name to $other.name', ({ first, other }) => {
  // Behind chat completions the agent loop renames ids that come twice.
  const otherId = first === chatWire ? 'call_2' : 'call_1';

  it('and back in one turn; thoughts and ids stay with the server that wrote them', async () => {
    const { router, clock, firstAt, otherAt } = await openModels(first, other, {
      first: [withProof(first, 'call_1'), FAILS, { parts: [{ text: ['Both are seen.'] }] }],
      other: [withProof(other, otherId)],
    });
    const changes: string[] = [];
    const sink = {
      onText: () => {},
      onReasoning: () => {},
      onFallback: ({ from, to }: ModelChange) => void changes.push(`${from} > ${to}`),
    };
    const history: ChatMessage[] = [{ role: 'user', content: 'Look twice.' }];
    const step = async () => {
      const { message, answeredBy } = await router.stream(ask('', { messages: [...history], tools: TOOLS, thinkingLevel: 'low' }), sink);
      history.push(JSON.parse(JSON.stringify(message)) as ChatMessage);
      for (const { id } of message.tool_calls ?? []) history.push({ role: 'tool', tool_call_id: id, content: `seen ${history.length}` });
      return answeredBy;
    };
    expect(await step()).toBeUndefined();
    expect(await step()).toBe('other');
    expect(JSON.stringify(otherAt.bodies[0])).not.toMatch(/cHJvb2Y=|I look/);
    clock.advance(2 * LONG_MS);
    expect(await step()).toBeUndefined();
    expect(changes).toEqual(['first > other']);
    // The first model gets its own thought back and never the other one's, and each call of the turn has an id of its own.
    const parts = firstAt.requests.at(-1)?.messages.flatMap(({ parts: own }) => own) ?? [];
    const thoughts = first.has.thoughts ? [`thought:I look.:${PROOF}`] : [];
    expect(parts.slice(0, 3 + thoughts.length)).toEqual(['Look twice.', ...thoughts, 'call:call_1:look:{"at":1}', 'result:call_1:seen 2']);
    const [call, result] = parts.slice(3 + thoughts.length);
    const [, secondId] = call?.split(':') ?? [];
    expect(secondId).not.toBe('call_1');
    expect([call, result]).toEqual([`call:${secondId}:look:{"at":1}`, `result:${secondId}:seen 4`]);
    expect(parts).toHaveLength(5 + thoughts.length);
    expect(history.at(-1)).toMatchObject({ role: 'assistant', content: 'Both are seen.' });
  });
});
