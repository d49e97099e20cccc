/**
 * One chat of thirty turns with tools, thoughts and images, also in results of tools, that changes its model in each turn: OpenAI over both of its APIs, Anthropic, Gemini, Mistral,
 * and back. The servers refuse what the vendors refuse, so a request in the wrong form fails its run.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { chatWire } from '../support/wires/chat_wire';
import { googleWire } from '../support/wires/google_wire';
import type { ModelWire, WireAnswer, WirePart, WireRequest } from '../support/wires/model_wire';
import { responsesWire } from '../support/wires/responses_wire';
import { anthropicRule, googleRule, mistralRule, openAiChatRule, responsesRule, type VendorRule } from '../support/wires/strict_rules';
import { type Served, type ServedAddress, startWireServer, type WireServer } from '../support/wires/wire_server';

const TURNS = 30;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** The image that a tool returns. */
const SEEN = Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.from('seen')]);

interface Stop {
  id: string;
  wire: ModelWire;
  rule: VendorRule;
  /** Ids of calls in the form of the vendor; empty: it gives none. */
  createId: (count: number) => string;
  /** Further fields in models.yaml. */
  fields?: string;
}

const digits = (count: number, length: number): string => String(count).padStart(length, '0');
const STOPS: readonly Stop[] = [
  { id: 'openai', wire: chatWire, rule: openAiChatRule, createId: count => `call_${digits(count, 24)}` },
  { id: 'responses', wire: responsesWire, rule: responsesRule, createId: count => `call_${digits(count, 24)}` },
  { id: 'claude', wire: anthropicWire, rule: anthropicRule, createId: count => `toolu_01${digits(count, 22)}` },
  { id: 'gemini', wire: googleWire, rule: googleRule, createId: () => '' },
  {
    id: 'mistral',
    wire: { ...chatWire, model: 'mistral-large-latest' },
    rule: mistralRule,
    createId: count => `mi${digits(count, 7)}`,
    fields: 'reasoning: none',
  },
];

interface Vendor extends Stop {
  address: ServedAddress;
  issued: Set<string>;
  refusals: string[];
}

/** The turn, and how many results it has so far. */
function placeOf({ messages }: WireRequest): { turn: number; results: number } {
  const parts = messages.flatMap(({ parts: own }) => own);
  const start = parts.findLastIndex(part => /turn \d+ please/.test(part));
  const results = parts.slice(start).filter(part => part.startsWith('result:')).length;
  return { turn: Number(/turn (\d+) please/.exec(parts[start] ?? '')?.[1] ?? 0), results };
}

/** Two calls side by side, then a call with an image as its result, then the answer. Each step of a model that thinks begins with a thought. */
function stepsOf({ id, wire, createId }: Stop, issued: Set<string>) {
  let count = 0;
  const prove = (): string => {
    const proof = Buffer.from(`${id} ${++count}`).toString('base64');
    issued.add(proof);
    return proof;
  };
  const call = (name: 'list_dir' | 'read_file', path: string, proof?: string): WirePart => ({
    call: { id: createId(++count), name, args: [JSON.stringify({ path })], proof },
  });
  return (request: WireRequest): WireAnswer => {
    const { turn, results } = placeOf(request);
    // OpenAI keeps its thoughts to itself in chat completions, and Mistral's model has none.
    const thoughts: WirePart[] = wire.has.thoughts ? [{ thought: [`I am in turn ${turn}.`], proof: prove() }] : [];
    const callProof = wire === googleWire ? prove() : undefined;
    if (results === 0) return { parts: [...thoughts, { text: ['I look.'] }, call('list_dir', '.', callProof), call('list_dir', 'sub')] };
    if (results === 2) return { parts: [...thoughts, call('read_file', 'seen.png', callProof)] };
    return { parts: [...thoughts, { text: [`Turn ${turn} is done by ${id}.`] }] };
  };
}

async function startVendor(stop: Stop, servers: WireServer[]): Promise<Vendor> {
  const server = await startWireServer(stop.wire);
  servers.push(server);
  const issued = new Set<string>();
  const refusals: string[] = [];
  const answer = stepsOf(stop, issued);
  const address = server.serve((request, body): Served => {
    const refused = stop.rule(body, issued);
    if (refused === undefined) return answer(request);
    refusals.push(refused);
    return { badRequest: refused };
  });
  return { ...stop, address, issued, refusals };
}

const servers: WireServer[] = [];
let vendors: Vendor[];
let config: AgentConfig;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  vendors = await Promise.all(STOPS.map(stop => startVendor(stop, servers)));
  config = await createProfiles({ default: '' });
  const rows = vendors.map(({ id, wire, address, fields }) => {
    const common = `id: ${id}, api: ${wire.name}, baseUrl: "${address.baseUrl}", model: ${wire.model}, images: true, contextWindow: 1000000`;
    return `  - { ${[common, fields].filter(Boolean).join(', ')} }`;
  });
  await writeFile(join(config.directory, 'models.yaml'), `models:\n${rows.join('\n')}\n`);
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory }, files: { 'a.txt': 'A', 'sub/b.txt': 'B' } });
  await writeFile(join(gateway.workspace, 'seen.png'), SEEN);
  rest = createRestClient(gateway.url);
}, 60_000);
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(servers.map(server => server.stop()));
  await config?.remove();
});

const sentTo = ({ address }: Vendor): string[] =>
  address.requests.flatMap(({ messages }) => messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : [])));

it('moves a chat with tools, thoughts and images between all vendors for thirty turns, and no request is refused', async () => {
  const { body: session } = await rest.request<{ id: string }>('POST', '/sessions', { thinkingLevel: 'low' });
  for (let turn = 1; turn <= TURNS; turn++) {
    const { id = '' } = vendors[(turn - 1) % vendors.length] ?? {};
    const images = turn % 4 === 0 ? [{ mediaType: 'image/png', base64: PIXEL }] : undefined;
    const { body } = await rest.run({ input: `turn ${turn} please`, sessionId: session.id, model: id, images });
    expect([turn, body.status, body.text, body.toolCalls.length, body.error]).toEqual([
      turn,
      'completed',
      `Turn ${turn} is done by ${id}.`,
      3,
      undefined,
    ]);
  }
  expect(vendors.map(({ id, refusals }) => [id, refusals])).toEqual(vendors.map(({ id }) => [id, []]));
  // Every vendor reads the whole chat: its own turns and those of the others.
  for (const vendor of vendors) {
    const last = vendor.address.requests.at(-1);
    const texts = last?.messages.flatMap(({ parts }) => parts).filter(part => /^turn \d+ please|^Turn \d+ is done/.test(part)) ?? [];
    expect(texts.length).toBeGreaterThanOrEqual(2 * (TURNS - vendors.length) + 1);
    for (const image of [PIXEL, SEEN.toString('base64')]) expect(JSON.stringify(last?.messages)).toContain(`image:image/png:${image}`);
  }
  // Thoughts go back to the vendor that had them, and to no other.
  for (const vendor of vendors.filter(({ wire }) => wire.has.thoughts)) {
    const bodies = JSON.stringify(vendor.address.bodies);
    expect([...vendor.issued].filter(proof => bodies.includes(proof)).length).toBeGreaterThan(TURNS / vendors.length);
    expect(sentTo(vendor).filter(part => part.startsWith('thought:')).length).toBeGreaterThan(0);
    for (const other of vendors.filter(({ id }) => id !== vendor.id))
      for (const proof of vendor.issued) expect(JSON.stringify(other.address.bodies)).not.toContain(proof);
  }
}, 120_000);
