/**
 * The prompt caches of model servers: over 50 turns with tools, memories, the time and steering, no byte moves that was sent before, and from the
 * second turn on nine tenths of the input come from the cache. The requests are those that the servers got over HTTP.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { chatWire } from '../support/wires/chat_wire';
import { googleWire } from '../support/wires/google_wire';
import type { ModelWire, WireAnswer, WireRequest } from '../support/wires/model_wire';
import { commonParts, PromptCache, partsOf } from '../support/wires/prompt_cache';
import { responsesWire } from '../support/wires/responses_wire';
import { startWireServer, type WireServer } from '../support/wires/wire_server';

const TURNS = 50;
/** The turns in which a person sends another message while the model works. */
const STEERED: readonly number[] = [11, 32];
/** Part of the input that the cache must give. */
const LEAST_CACHED = 0.9;

/** What the model does in a turn, by its number: answers at once, reads files side by side, saves a memory, or keeps a plan. */
function answerTo({ messages }: WireRequest): WireAnswer {
  const parts = messages.flatMap(({ parts: own }) => own);
  const start = parts.findLastIndex(part => /turn \d+ please/.test(part));
  const turn = Number(/turn (\d+) please/.exec(parts[start] ?? '')?.[1]);
  const results = parts.slice(start).filter(part => part.startsWith('result:')).length;
  const call = (name: string, args: object, i = 0) => ({ call: { id: `call_${turn}_${i}`, name, args: [JSON.stringify(args)] } });
  if (results > 0) return { parts: [{ text: [`Turn ${turn} is done, with ${results} results.`] }] };
  if (turn % 10 === 3) return { parts: [call('memory_save', { text: `The person likes the number ${turn}.`, kind: 'preference' })] };
  if (turn % 3 === 1) return { parts: [{ text: ['I look.'] }, call('list_dir', { path: '.' }, 0), call('list_dir', { path: '/' }, 1)] };
  return { parts: [{ text: [`Turn ${turn} needs no tool.`] }] };
}

describe.each([
  { wire: anthropicWire, api: 'anthropic' },
  { wire: chatWire, api: 'chat' },
  { wire: responsesWire, api: 'responses' },
  { wire: googleWire, api: 'google' },
] satisfies { wire: ModelWire; api: string }[])('over 50 turns with $api', ({ wire, api }) => {
  let server: WireServer;
  let config: AgentConfig;
  let gateway: Gateway;
  const cache = new PromptCache();
  const gate = { isClosed: false, arrived: Promise.withResolvers<void>(), opened: Promise.withResolvers<void>() };
  let bodies: Record<string, unknown>[];

  beforeAll(async () => {
    server = await startWireServer(wire);
    const address = server.serve(async (request, body) => {
      const answer = answerTo(request);
      if (gate.isClosed) {
        gate.isClosed = false;
        gate.arrived.resolve();
        await gate.opened.promise;
      }
      return api === 'anthropic' ? { ...answer, usage: { ...cache.use(body), output: 10, thinking: 0 } } : answer;
    });
    bodies = address.bodies;
    config = await createProfiles({ default: 'memory: true' });
    const models = `models:\n  - { id: m, api: ${api}, baseUrl: "${address.baseUrl}", model: ${wire.model}, contextWindow: 1000000 }\n`;
    await writeFile(join(config.directory, 'models.yaml'), models);
    gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory }, files: { 'a.txt': 'A', 'b.txt': 'B' } });
  }, 60_000);
  afterAll(async () => {
    await gateway?.stop();
    await server.stop();
    await config.remove();
  });

  it('moves no byte and reads nine tenths of its input from the cache', async () => {
    const rest = createRestClient(gateway.url);
    let sessionId: string | undefined;
    const shares: number[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      const isSteered = STEERED.includes(turn);
      if (isSteered) Object.assign(gate, { isClosed: true, arrived: Promise.withResolvers<void>(), opened: Promise.withResolvers<void>() });
      const running = rest.run({ input: `turn ${turn} please`, sessionId });
      if (isSteered) {
        await gate.arrived.promise;
        await rest.run({ input: 'and be brief', sessionId, onBusy: 'steer' }, { prefer: 'respond-async' });
        gate.opened.resolve();
      }
      const { status, body } = await running;
      expect([turn, status, body.status]).toEqual([turn, 200, 'completed']);
      ({ sessionId } = body);
      shares.push((body.usage.cachedTokens ?? 0) / body.usage.inputTokens);
    }
    const memories = await rest.request<{ data: unknown[] }>('GET', '/memories');
    expect(memories.body.data).toHaveLength(5);
    const requests = bodies.filter(body => JSON.stringify(body).includes('turn 1 please')).map(partsOf);
    expect(requests.length).toBeGreaterThan(TURNS * 1.3);
    expect(JSON.stringify(requests.at(-1))).toContain('and be brief');
    for (const [i, parts] of requests.entries()) {
      const before = requests[i - 1];
      if (!before) continue;
      // Everything that was sent before stands at the beginning again, byte for byte.
      expect([i, commonParts(before, parts)]).toEqual([i, before.length]);
      const bytes = (list: typeof parts) => list.reduce((sum, { json }) => sum + json.length, 0);
      expect(bytes(before) / bytes(parts)).toBeGreaterThan(LEAST_CACHED);
    }
    // The server counts what its cache gave, and the receipt of each run says so.
    if (api === 'anthropic') expect(Math.min(...shares.slice(1))).toBeGreaterThan(LEAST_CACHED);
  }, 120_000);
});
