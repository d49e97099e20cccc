/** Two gateways on one Postgres, each with a workspace of its own: a session finds its files at either one. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import { createRestClient, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

const SNAPSHOT = { NETA_WORKSPACE_STORE: 'snapshot', NETA_SANDBOX: 'none' };
const call = (name: string, args: Record<string, string>) => ({ toolCalls: [{ name, arguments: args }] });
const write = (path: string, content: string) => call('write_file', { path, content });
const read = (path: string) => call('read_file', { path });

interface EndedRun {
  runId: string;
  sessionId: string;
  text: string;
}

describeWithPostgres('files of workspaces, as snapshots of two gateways', () => {
  let server: PostgresServer;
  let a: AgentBench;
  let b: Gateway;
  let restOf: Record<'a' | 'b', RestClient>;
  let turns = 0;

  beforeAll(async () => {
    server = await startPostgres();
    const DATABASE_URL = await server.createDatabase();
    a = await startBench({ env: { ...SNAPSHOT, DATABASE_URL } });
    b = await startGateway({
      env: { ...SNAPSHOT, DATABASE_URL, OPENAI_BASE_URL: a.model.baseUrl, OPENAI_API_KEY: MODEL_KEY },
    });
    restOf = { a: a.rest, b: createRestClient(b.url) };
  }, 60_000);
  afterAll(async () => {
    await b?.stop();
    await a?.stop();
    await server?.stop();
  });

  /** Runs a turn with one tool call at a gateway. Resolves with the result of the call as the text of the run. */
  async function turn(at: 'a' | 'b', toolCall: ReturnType<typeof call>, sessionId?: string): Promise<EndedRun> {
    const input = `turn ${++turns}.`;
    a.model.onTurn(input, toolCall, ({ toolResults }) => `Result: ${toolResults.at(-1)}`);
    const { body } = await restOf[at].request<EndedRun>('POST', '/runs', { input, sessionId });
    return body;
  }
  const fileAt = (gateway: Gateway, path: string) => readFile(join(gateway.workspace, path), 'utf8').catch(() => undefined);
  const eventsOf = async (runId: string) =>
    (await restOf.a.request<{ data: { type: string; data: unknown }[] }>('GET', `/runs/${runId}/events`)).body.data;

  it('goes on at the other gateway with what was written, changed and deleted', async () => {
    const { sessionId } = await turn('a', write('plan.md', 'one'));
    await turn('a', write('gone.md', 'soon'), sessionId);
    expect((await turn('b', read('plan.md'), sessionId)).text).toContain('one');
    await turn('b', call('patch', { path: 'plan.md', old_string: 'one', new_string: 'two' }), sessionId);
    expect((await fetch(`${b.url}/api/v1/files/gone.md`, { method: 'DELETE' })).status).toBe(204);
    expect((await turn('a', read('plan.md'), sessionId)).text).toContain('two');
    expect(await fileAt(a.gateway, 'gone.md')).toBeUndefined();
  });

  it('refuses to overwrite what another session has changed since, wherever the session has read it', async () => {
    const { sessionId } = await turn('a', write('shared.md', 'mine'));
    const other = await turn('b', read('shared.md'));
    await turn('b', write('shared.md', 'theirs'), other.sessionId);
    expect((await turn('b', write('shared.md', 'lost?'), sessionId)).text).toContain('has changed since you last read or wrote it');
    await turn('b', read('shared.md'), sessionId);
    expect((await turn('a', write('shared.md', 'both'), sessionId)).text).toContain('Overwrote shared.md');
  });

  it('finds uploads of people', async () => {
    expect((await fetch(`${b.url}/api/v1/files/up.txt`, { method: 'PUT', body: 'from a person' })).status).toBe(201);
    expect((await turn('a', read('up.txt'))).text).toContain('from a person');
    const { body } = await restOf.a.request<{ data: { path: string }[] }>('GET', '/files');
    expect(body.data.map(({ path }) => path)).toContain('up.txt');
  });

  it('finds what the last turn wrote when its gateway was killed right after it', async () => {
    const { sessionId } = await turn('a', write('before_kill.md', 'stored with the end of the turn'));
    await a.gateway.kill();
    expect((await turn('b', read('before_kill.md'), sessionId)).text).toContain('stored with the end of the turn');
    // A process that outlived the gateway.
    await writeFile(join(a.gateway.workspace, 'left_behind.md'), 'found at the next start');
    await a.gateway.restart();
    const found = () => turn('b', read('left_behind.md'), sessionId);
    expect((await until(found, ({ text }) => text.includes('found at'))).text).toContain('found at the next start');
  }, 60_000);

  it('keeps both texts of a path that two sessions wrote, and says so in the log of the later run', async () => {
    await turn('b', read('plan.md'));
    // Both have begun with the same files.
    a.model.onTurn('hold', write('report.md', 'from b'), { text: 'written and waiting', pauseAfter: 0 }, 'done');
    const held = restOf.b.request<EndedRun>('POST', '/runs', { input: 'hold' });
    await until(
      () => fileAt(b, 'report.md'),
      text => text === 'from b',
    );
    const first = await turn('a', write('report.md', 'from a'));
    a.model.resume();
    const { body } = await held;
    const conflict = (await eventsOf(body.runId)).find(({ type }) => type === 'workspace_conflict');
    expect(conflict?.data).toEqual({ path: 'report.md', keptAs: expect.stringMatching(/^report\.conflict-/), sessionId: first.sessionId });
    expect((await turn('a', read('report.md'))).text).toContain('from b');
    const kept = (await readdir(a.gateway.workspace)).find(name => name.startsWith('report.conflict-')) ?? '';
    expect(await fileAt(a.gateway, kept)).toBe('from a');
  });
});

describeWithPostgres('files of workspaces, on a disk that two gateways share', () => {
  let server: PostgresServer;
  let a: AgentBench;
  let b: Gateway;

  beforeAll(async () => {
    server = await startPostgres();
    const env = { DATABASE_URL: await server.createDatabase(), NETA_WORKSPACE_STORE: 'shared', NETA_SANDBOX: 'none' };
    a = await startBench({ env });
    const model = { OPENAI_BASE_URL: a.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
    b = await startGateway({ env: { ...env, ...model, NETA_WORKSPACE: a.gateway.workspace } });
  }, 60_000);
  afterAll(async () => {
    await b?.stop();
    await a?.stop();
    await server?.stop();
  });

  it('loses no change of a file that sessions at both gateways patch at the same time', async () => {
    const lines = Array.from({ length: 8 }, (_, i) => `line ${i}`);
    await writeFile(join(a.gateway.workspace, 'list.txt'), `${lines.join('\n')}\n`);
    const rests = [a.rest, createRestClient(b.url)];
    const patchLine = (line: string, i: number) => {
      const input = `${line} please`;
      a.model.onTurn(input, call('patch', { path: 'list.txt', old_string: `${line}\n`, new_string: `${line} done\n` }), 'Patched.');
      return rests[i % 2]?.request('POST', '/runs', { input });
    };
    await Promise.all(lines.map(patchLine));
    const text = await readFile(join(a.gateway.workspace, 'list.txt'), 'utf8');
    expect(text).toBe(lines.map(line => `${line} done\n`).join(''));
  });
});
