/** `neta models probe` against servers that speak each wire, and that differ in their dialects. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ended, startNeta } from '../support/neta_program';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { chatWire } from '../support/wires/chat_wire';
import { googleWire } from '../support/wires/google_wire';
import type { ModelWire, WireRequest } from '../support/wires/model_wire';
import { answerProbe } from '../support/wires/probed_model';
import { responsesWire } from '../support/wires/responses_wire';
import { type Served, startWireServer, type WireServer } from '../support/wires/wire_server';

const servers: WireServer[] = [];
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'neta-probe-'));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.stop()));
  await rm(directory, { recursive: true, force: true });
});

type Rule = (body: Record<string, unknown>, request: WireRequest) => string | undefined;

/** Starts a server whose model can do everything, but whose API refuses what the rule names. `createId`: makes ids of calls. */
async function start(wire: ModelWire, rule: Rule = () => undefined, createId?: (i: number) => string) {
  const server = await startWireServer(wire);
  servers.push(server);
  let ids = 0;
  return server.serve((request, body): Served => {
    const refused = rule(body, request);
    if (refused !== undefined) return { badRequest: refused };
    if (JSON.stringify(body).length > 1_000_000) return { refuse: 'too_long' };
    ids += 1;
    return answerProbe(request, () => createId?.(ids) ?? `call_${ids}_${Math.floor(performance.now() * 1_000)}`);
  });
}

interface Probed {
  questions: { name: string; ok: boolean; detail: string }[];
  row?: Record<string, unknown>;
}

async function probe(...args: string[]): Promise<{ code: number | null; probed: Probed; stderr: string }> {
  const env = { NETA_CONFIG_DIR: directory, NETA_DATA_DIR: join(directory, 'data'), PROBE_KEY: 'sk-probe-0123456789' };
  const { code, stdout, stderr } = await ended(startNeta(['models', 'probe', '--json', ...args], env, [], directory));
  return { code, probed: JSON.parse(stdout || '{"questions":[]}') as Probed, stderr };
}

const failed = ({ questions }: Probed) => questions.flatMap(({ name, ok }) => (ok ? [] : [name]));

it.each([chatWire, responsesWire, anthropicWire, googleWire])('asks a model over its own API: $name', async wire => {
  const address = await start(wire);
  const options = ['--base-url', address.baseUrl, '--model-name', wire.model, '--api', wire.name, '--api-key-env', 'PROBE_KEY'];
  const { code, probed, stderr } = await probe(...options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // The list of the mock server has other names.
  expect(failed(probed)).toEqual(['list']);
  expect(probed.row).toEqual({
    id: wire.model.replaceAll('.', '-'),
    api: wire.name,
    baseUrl: address.baseUrl,
    apiKeyEnv: 'PROBE_KEY',
    model: wire.model,
    images: true,
    files: true,
  });
  expect(new Set(address.requests.map(({ key }) => key))).toEqual(new Set(['sk-probe-0123456789']));
});

describe('finds what a server of chat completions needs', () => {
  const NINE = /^[A-Za-z0-9]{9}$/;
  const calledIds = (body: Record<string, unknown>) =>
    [...JSON.stringify(body).matchAll(/"tool_call_id":"([^"]*)"/g)].map(([, id = '']) => id);

  it('ids of nine letters, no efforts, and no images: the dialect of Mistral', async () => {
    const mistral: Rule = (body, { messages }) => {
      const id = calledIds(body).find(other => !NINE.test(other));
      if (id !== undefined) return `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
      if ('reasoning_effort' in body) return 'Extra inputs are not permitted: reasoning_effort';
      return JSON.stringify(messages).includes('image:') ? 'This model does not support image input' : undefined;
    };
    const address = await start(chatWire, mistral, i => `Id${String(i).padStart(7, '0')}`);
    const { probed } = await probe('--base-url', address.baseUrl, '--model-name', 'house-model');
    expect(failed(probed)).toEqual(['list', 'image', 'thoughts']);
    expect(probed.row).toEqual({
      id: 'house-model',
      baseUrl: address.baseUrl,
      model: 'house-model',
      dialect: 'mistral',
      reasoning: 'none',
      images: false,
      files: true,
    });
    expect(probed.questions.find(({ name }) => name === 'image')?.detail).toContain('does not support image input');
  });

  it('another field for the length of answers, other fields for thoughts, and thoughts in turns with calls', async () => {
    const deepseek: Rule = body => {
      if ('max_tokens' in body)
        return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      if ('reasoning_effort' in body) return 'Unrecognized request argument supplied: reasoning_effort';
      const messages = body['messages'] as Record<string, unknown>[];
      const isBare = messages.some(({ role, tool_calls: calls, ...rest }) => role === 'assistant' && calls && !rest['reasoning_content']);
      return isBare ? 'Missing `reasoning_content` field in the assistant message' : undefined;
    };
    const thinking: ModelWire = {
      ...chatWire,
      read: (body, headers, path) => ({ ...chatWire.read(body, headers, path), thinks: body['enable_thinking'] === true }),
    };
    const server = await startWireServer(thinking);
    servers.push(server);
    const address = server.serve((request, body): Served => {
      const refused = deepseek(body, request);
      if (refused !== undefined) return { badRequest: refused };
      const answer = answerProbe(request, () => `call_${performance.now()}`.replace('.', ''));
      // This server always thinks before it calls.
      const calls = answer.parts.some(part => 'call' in part);
      return calls ? { ...answer, parts: [{ thought: ['I look.'], proof: '' }, ...answer.parts] } : answer;
    });
    const { probed } = await probe('--base-url', address.baseUrl, '--model-name', 'house-model');
    expect(failed(probed)).toEqual(['list']);
    expect(probed.row).toMatchObject({
      dialect: 'deepseek',
      maxTokensField: 'max_completion_tokens',
      reasoning: 'enable_thinking',
      images: true,
      files: true,
    });
  });
});

it('asks a model of models.yaml, and writes what it needs into its row', async () => {
  const address = await start(chatWire, body => ('max_tokens' in body ? "Unsupported parameter: 'max_tokens'" : undefined));
  const file = join(directory, 'models.yaml');
  await writeFile(file, `# House models.\nmodels:\n  - { id: one, baseUrl: "${address.baseUrl}", model: house-model, idleMs: 5000 }\n`);
  const { code, probed } = await probe('one', '--large', '--write');
  expect(code).toBe(0);
  expect(probed.questions.at(-1)).toMatchObject({ name: 'window', ok: true, detail: expect.stringContaining('maximum context length') });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('# House models.');
  expect(parse(text)).toEqual({
    models: [
      {
        id: 'one',
        baseUrl: address.baseUrl,
        model: 'house-model',
        idleMs: 5_000,
        maxTokensField: 'max_completion_tokens',
        images: true,
        files: true,
        contextWindow: 200_000,
      },
    ],
  });
});

it('takes back what the row says and the server refuses', async () => {
  const address = await start(chatWire, (_body, { messages }) =>
    /(?:image|file):/.test(JSON.stringify(messages)) ? 'text only' : undefined,
  );
  const file = join(directory, 'models.yaml');
  const row = `{ id: one, baseUrl: "${address.baseUrl}", model: house-model, images: true, files: true }`;
  await writeFile(file, `models:\n  - ${row}\n`);
  const { probed } = await probe('one', '--write');
  expect(failed(probed)).toEqual(['list', 'image', 'file']);
  expect(parse(await readFile(file, 'utf8'))).toMatchObject({ models: [{ id: 'one', images: false, files: false }] });
});

it('ends with the words of a server that does not answer, and writes nothing', async () => {
  const address = await start(chatWire, () => 'no such model here');
  const { code, probed } = await probe('--base-url', address.baseUrl, '--model-name', 'none', '--write');
  expect([code, probed.row]).toEqual([1, undefined]);
  expect(probed.questions).toEqual([{ name: 'answer', ok: false, detail: expect.stringContaining('no such model here') }]);
  await expect(readFile(join(directory, 'models.yaml'))).rejects.toThrow('ENOENT');
});

it('shows a table and the row for people, in their language', async () => {
  const address = await start(chatWire);
  const options = ['models', 'probe', '--base-url', address.baseUrl, '--model-name', 'house-model', '--lang', 'zh-CN'];
  const { stdout, code } = await ended(startNeta(options, { NETA_CONFIG_DIR: directory }, [], directory));
  expect(code).toBe(0);
  expect(stdout).toMatch(/✓ +image +能看图片/);
  expect(stdout).toContain(`- { id: house-model, baseUrl: ${address.baseUrl}, model: house-model, images: true, files: true }`);
});

it.each([
  [['nobody'], /no model "nobody"/],
  [['--model-name', 'm', '--api-key-env', 'NOT_SET'], /NOT_SET is not set/],
  [['--base-url', 'http://127.0.0.1:9/v1'], /--model-name/],
])('says what is missing: %j', async (args, words) => {
  const { code, stderr } = await probe(...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(words);
});

it('does not send the key of a known model to another address', async () => {
  const models = 'models:\n  - { id: main, baseUrl: "https://models.example/v1", apiKeyEnv: PROBE_KEY, model: big }\n';
  await writeFile(join(directory, 'models.yaml'), models);
  const address = await start(chatWire);
  const { code, stderr } = await probe('main', '--base-url', address.baseUrl, '--model-name', chatWire.model, '--write');
  expect([code, stderr]).toEqual([1, expect.stringContaining('--api-key-env')]);
  expect(await readFile(join(directory, 'models.yaml'), 'utf8')).toBe(models);
});
