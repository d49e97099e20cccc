/** Raw tool calls that change something, in a gateway without a sandbox, and what the model is sent after one that could not run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ModelRequest } from '../support/mock_model';

const call = (name: string, args: Record<string, unknown>) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
const told = ({ toolResults }: ModelRequest) => `Told: ${toolResults.join(' | ')}`;

let bench: AgentBench;
beforeAll(async () => {
  bench = await startBench({ env: { NETA_SANDBOX: 'auto', NODE_OPTIONS: `--require ${join(__dirname, '../support/no_sandbox.cjs')}` } });
});
afterAll(() => bench?.stop());

const written = (name: string) => readFile(join(bench.gateway.workspace, name), 'utf8').catch(() => undefined);

it('[beaver.raw_calls] a file that a raw call writes is written once, with all its text', async () => {
  const content = 'line "one" <b>\n\tline two, ended by </tool_call\n';
  bench.model.onTurn('write the log', { text: call('write_file', { path: 'log.txt', content }), chunkSize: 5 }, told);
  const { body } = await bench.rest.run({ input: 'write the log' });
  expect(body).toMatchObject({ status: 'completed', toolCalls: [{ name: 'write_file', ok: true }] });
  expect(await written('log.txt')).toBe(content);
});

it.each([
  ['allow_once', 'yes\n'],
  ['deny', undefined],
] as const)('[beaver.raw_calls] without a sandbox each raw command is asked about, without a rule: %s', async (decision, expected) => {
  const command = `echo yes > ${decision}.txt`;
  bench.model.onTurn(`run ${decision}`, { text: call('bash', { command }), chunkSize: 6 }, told);
  const client = await bench.connect({ capabilities: ['clarify@1', 'approval@1'] });
  const { runId, sessionId } = await client.chat(`run ${decision}`);
  const { data } = await client.waitFor('approval_request', event => event.runId === runId);
  expect(data).toMatchObject({ tool: 'bash', args: { command } });
  expect(await written(`${decision}.txt`)).toBeUndefined();
  await client.send({ type: 'approval_response', sessionId, requestId: data.requestId, decision });
  expect((await client.endOf(runId)).data.status).toBe('completed');
  expect(await written(`${decision}.txt`)).toBe(expected);
});

it('[beaver.raw_calls] the model never gets two answers in a row, which some servers refuse', async () => {
  const bad = call('bash', { cmd: 'ls' });
  const isNote = ({ body }: ModelRequest) => body.messages.at(-1)?.content?.startsWith('[Note from the gateway]') === true;
  bench.model.onTurn('count the gulls', bad);
  bench.model.onTurn(isNote, 'There are nine.');
  bench.model.onTurn('and the terns', 'Four.');
  const { body } = await bench.rest.run({ input: 'count the gulls' });
  await bench.rest.run({ input: 'and the terns', sessionId: body.sessionId });
  const [last] = bench.model.requests(({ userText }) => userText === 'and the terns');
  expect(last?.body.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'count the gulls'],
    ['assistant', `${bad}\n\nThere are nine.`],
    ['user', 'and the terns'],
  ]);
  expect((await bench.rest.history(body.sessionId)).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'assistant',
    'user',
    'assistant',
  ]);
});
