/** A tool whose definition a model server refuses by name is put aside for that model; runs go on without it. */
import type { ServerResponse } from 'node:http';
import type { ChatMessage, WireTool } from '../../src/port/llm';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type BrokenModel, callChunk, endEvents, finish, sendJson, startBrokenModel, textChunk } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

/** Words of servers about the tool at a place. */
const WORDS: Record<string, (name: string, place: number) => [number, unknown]> = {
  read_file: (name, place) => [
    400,
    {
      error: {
        message: `Invalid schema for function '${name}': array schema missing items.`,
        param: `tools[${place}].function.parameters`,
      },
    },
  ],
  list_dir: (_, place) => [400, [{ error: { message: `Invalid value at 'tools[0].function_declarations[${place}].parameters'` } }]],
  search: (_, place) => [422, { detail: [{ loc: ['body', 'tools', place, 'function', 'parameters'], msg: 'Input should be valid' }] }],
};

const MOONSHOT = 'Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <no type>';

let model: BrokenModel;
let gateway: Gateway;
let config: AgentConfig;
let rest: RestClient;
let refusals = 0;
let offered: string[] = [];

function answer(body: Record<string, unknown>, response: ServerResponse): void {
  const messages = body['messages'] as ChatMessage[];
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const names = ((body['tools'] as WireTool[] | undefined) ?? []).map(tool => tool.function.name);
  const place = names.findIndex(name => Object.hasOwn(WORDS, name));
  if (asked.startsWith('moonshot') && names.some(name => name.startsWith('ext_'))) {
    refusals++;
    const error = { error: { message: MOONSHOT, type: 'invalid_request_error' } };
    if (asked.includes('streamed')) endEvents(response, [error]);
    else sendJson(response, 400, error);
    return;
  }
  const nameless = asked.startsWith('nameless') ? { error: { message: "Invalid schema for function 'no_such_tool': bad." } } : undefined;
  const refusal = nameless ? ([400, nameless] as const) : WORDS[names[place] ?? '']?.(names[place] ?? '', place);
  if (refusal) {
    refusals++;
    response.writeHead(refusal[0], { 'content-type': 'application/json' }).end(JSON.stringify(refusal[1]));
    return;
  }
  offered = names;
  const isFirst = messages.at(-1)?.role === 'user';
  const call = { index: 0, id: 'call_1', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } };
  const events = asked.startsWith('call it') && isFirst ? [callChunk(call), finish('tool_calls')] : [textChunk('fine'), finish('stop')];
  endEvents(response, [...events, '[DONE]']);
}

beforeAll(async () => {
  model = await startBrokenModel();
  const baseUrl = model.serve(({ body, response }) => answer(body, response));
  config = await createAgentConfig(['base']);
  gateway = await startGateway({ env: { OPENAI_BASE_URL: baseUrl, NETA_CONFIG_DIR: config.directory }, files: { 'a.txt': 'text\n' } });
  rest = createRestClient(gateway.url);
});

afterAll(async () => {
  await gateway?.stop();
  await config?.remove();
  await model?.stop();
});

interface Row {
  name: string;
  enabled: boolean;
  asideFor?: { model: string; reason: string }[];
}

describe('a tool that the model server refuses by name or place', () => {
  it('is put aside in the same run, and not offered again', async () => {
    expect((await rest.run({ input: 'hello' })).body).toMatchObject({ status: 'completed', text: 'fine' });
    const refused = refusals;
    expect(refused).toBeGreaterThan(0);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter(name => Object.hasOwn(WORDS, name))).toEqual([]);
    expect((await rest.run({ input: 'hello again' })).body.status).toBe('completed');
    expect(refusals).toBe(refused);
  });

  it('is named in the list of tools and in the warnings, with the words of the server', async () => {
    const { body } = await rest.request<{ data: Row[] }>('GET', '/tools');
    const row = body.data.find(({ name }) => name === 'read_file');
    expect(row).toMatchObject({
      enabled: true,
      asideFor: [{ model: 'default', reason: expect.stringContaining('array schema missing items') }],
    });
    expect(body.data.find(({ name }) => name === 'current_time')).not.toHaveProperty('asideFor');
    const ready = await rest.request<{ warnings: string[] }>('GET', '//readyz');
    expect(ready.status).toBe(200);
    expect(ready.body.warnings.join('\n')).toMatch(
      /default: The tool read_file is not offered to this model\. .*array schema missing items/,
    );
  });

  it('gets an error result when the model calls it anyway', async () => {
    const { body } = await rest.run({ input: 'call it' });
    expect(body).toMatchObject({ status: 'completed', text: 'fine' });
    const results = (await rest.history(body.sessionId)).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Not run: the tool read_file cannot be used with this model/),
    ]);
  });

  it('ends the run with the words of the server when it names no tool that was offered', async () => {
    const before = refusals;
    const { body } = await rest.run({ input: 'nameless' });
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'model_refused', message: expect.stringContaining("function 'no_such_tool'") },
    });
    expect(refusals).toBe(before + 1);
  });
});

describe('foreign tools, when the server refuses a tool without naming it', () => {
  const ask = async (content: string, ...names: string[]) => {
    const tools = names.map(name => ({
      type: 'function',
      function: { name, description: 'Looks.', parameters: { type: 'object', properties: {} } },
    }));
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content }], tools }),
    });
    return (await response.json()) as unknown;
  };
  const fine = { choices: [{ finish_reason: 'stop', message: { content: 'fine' } }] };

  it.each(['with a status', 'streamed'])('are put aside together, once: %s', async way => {
    const names = [`ext_a_${way.length}`, `ext_b_${way.length}`];
    refusals = 0;
    expect(await ask(`moonshot ${way}`, ...names)).toMatchObject(fine);
    expect(refusals).toBe(1);
    expect(offered).toContain('bash');
    expect(offered.filter(name => name.startsWith('ext_'))).toEqual([]);
    expect(await ask(`moonshot ${way} again`, ...names)).toMatchObject(fine);
    expect(refusals).toBe(1);
    expect(gateway.output()).toContain(`the tools ${names.join(', ')} are not offered to the model default`);
  });
});
