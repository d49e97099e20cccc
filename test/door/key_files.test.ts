/** Files that may hold keys are read only after a person's approval. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { createAgentConfig } from '../support/agent_config';
import { APPROVER, chatUntilApproval, stepsOf } from '../support/approval_bench';

const SECRET = 'TOKEN=4711-0815';

let bench: AgentBench;
let stopConfig: () => Promise<void>;

beforeAll(async () => {
  const config = await createAgentConfig(['base', 'files']);
  stopConfig = config.remove;
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory }, files: { '.env': SECRET, '.env.example': 'TOKEN=' } });
  const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
  bench.model.onTurn('read it', call('read_file', { path: '.env' }), ({ toolResults }) => `Told: ${toolResults}`);
  bench.model.onTurn('find it', call('search', { pattern: 'TOKEN' }), ({ toolResults }) => `Told: ${toolResults}`);
});

afterAll(async () => {
  await bench?.stop();
  await stopConfig?.();
});

it('[key-files] asks the person, and shows the file after the approval', async () => {
  const client = await bench.connect(APPROVER);
  const { sessionId, runId, asked, requestId } = await chatUntilApproval(client, 'read it');
  expect(asked.data).toMatchObject({ tool: 'read_file', args: { path: '.env' }, reason: expect.stringContaining('.env looks like') });
  await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
  expect((await client.endOf(runId)).data.text).toContain(SECRET);
});

it('[key-files] does not show the file after a denial', async () => {
  const client = await bench.connect(APPROVER);
  const { sessionId, runId, requestId } = await chatUntilApproval(client, 'read it');
  await client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny' });
  expect((await client.endOf(runId)).data.text).toContain('a person refused this call');
});

it('[key-files] refuses when no person can be asked, in a run and in a direct call', async () => {
  const { body } = await bench.rest.run({ input: 'read it' });
  expect(body).toMatchObject({ text: expect.stringContaining('no person can be asked'), toolCalls: [{ ok: false }] });
  const direct = await bench.rest.request<{ error: string }>('POST', '/tools/call', {
    toolName: 'read_file',
    parameters: { path: '.env' },
  });
  expect(direct.body.error).toContain('.env looks like');
});

it('[key-files] search skips the file and says so, without asking', async () => {
  const client = await bench.connect(APPROVER);
  const { runId } = await client.chat('find it');
  const { text } = (await client.endOf(runId)).data;
  expect(text).toContain('.env.example:1:TOKEN=');
  expect(text).toMatch(/Not searched.*\.env\./);
  expect(text).not.toContain('4711');
  expect(stepsOf(client.eventsOf(runId))).toEqual(['tool_call_start', 'tool_call_end']);
});
