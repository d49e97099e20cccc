/** People at two gateways on one Postgres: an approval that asks for colleagues, and who looks at a session. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PresentPerson } from '../../src/service/access/session_notice';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { connectChat } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink } from '../support/people_client';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import type { PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

const NAMES = ['driver', 'dora', 'erik', 'fay'] as const;
const secretOf = (name: string): string => `${name}-secret-0123456789`;

describeWithPostgres('people at two gateways on one Postgres', () => {
  let server: PostgresServer;
  let config: string;
  let bench: AgentBench;
  let second: Gateway;

  beforeAll(async () => {
    config = await mkdtemp(join(tmpdir(), 'neta-four-eyes-nodes-'));
    await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
    await writeFile(
      join(config, 'approvals.yaml'),
      "rules:\n  - { tool: bash, pattern: 'tally', decision: ask, approvers: 3, notBy: requester }\n",
    );
    server = await startPostgres();
    const keys = [...NAMES.map(name => `${name}:${secretOf(name)}:acme:chat+approve`), `admin:${secretOf('admin')}:acme:admin`].join(',');
    const env = { DATABASE_URL: await server.createDatabase(), NETA_CONFIG_DIR: config, NETA_API_KEYS: keys };
    bench = await startBench({ env });
    second = await startGateway({ env: { ...env, OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY } });
    bench.model.onTurn('hello', 'Hello.');
    bench.model.onTurn('deploy', { toolCalls: [{ name: 'bash', arguments: { command: 'echo tally' } }] }, 'Deployed.');
  });
  afterAll(async () => {
    await second?.stop();
    await bench?.stop();
    await server?.stop();
    await rm(config, { recursive: true, force: true });
  });

  it('[R] tells who looks at a session and who types, also at the other gateway', async () => {
    const join = async (name: string, gateway: Gateway) => {
      const invitation = { role: 'member', email: `${name}@example.com` };
      const { body } = await withKey(bench.gateway.url, secretOf('admin')).request<MadeLink>('POST', '/invitations', invitation);
      const client = await acceptInvitation(gateway.url, body, { name, password: 'seven green umbrellas' });
      return { client, socket: await connectChat(gateway.url, { capabilities: ['presence@1'] }, client.headers) };
    };
    const [anna, ben] = [await join('anna', bench.gateway), await join('ben', second)];
    const { sessionId } = await anna.socket.chat('hello');
    await anna.client.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
    await ben.socket.send({ type: 'subscribe', sessionId });
    await ben.socket.send({ type: 'typing', sessionId });
    const people = ({ received }: typeof anna.socket) =>
      (received as unknown as { type: string; people: PresentPerson[] }[]).filter(({ type }) => type === 'presence').at(-1)?.people;
    const rows = [
      ['@anna', false],
      ['@ben', true],
    ];
    for (const { socket } of [anna, ben]) {
      await until(() => JSON.stringify(people(socket)?.map(({ handle, typing }) => [handle, typing])) === JSON.stringify(rows));
    }
    ben.socket.close();
    await until(() => people(anna.socket)?.length === 1);
    anna.socket.close();
  });

  it('[R] counts each yes once, whichever gateway takes it, and shows it in the log of the run', async () => {
    const first = bench.gateway;
    const at = (gateway: Gateway, name: (typeof NAMES)[number]) => withKey(gateway.url, secretOf(name));
    const { body } = await at(first, 'driver').request<{ runId: string }>(
      'POST',
      '/runs',
      { input: 'deploy' },
      { prefer: 'respond-async' },
    );
    const open = await until(async () => {
      const { body: page } = await at(second, 'dora').request<PageBody<{ requestId: string }>>('GET', '/approvals?status=pending');
      return page.data[0];
    });
    const allow = (who: RestClient) => who.request('POST', `/approvals/${open?.requestId}`, { decision: 'allow_once' });
    // At the same moment, at both gateways: none of them is lost.
    const both = await Promise.all([allow(at(first, 'dora')), allow(at(second, 'erik'))]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await allow(at(first, 'erik'))).toMatchObject({ status: 409, body: { error: { code: 'approval_given' } } });
    expect(await allow(at(second, 'driver'))).toMatchObject({ status: 403, body: { error: { code: 'approval_by_requester' } } });
    const updates = async () => {
      const { body: log } = await at(second, 'fay').request<PageBody<{ type: string; data: { approvals: { by: string }[] } }>>(
        'GET',
        `/runs/${body.runId}/events?limit=100`,
      );
      return log.data.filter(({ type }) => type === 'approval_update').map(({ data }) => data.approvals.map(({ by }) => by).sort());
    };
    await until(async () => (await updates()).some(names => names.join() === 'dora,erik'));
    expect(await allow(at(second, 'fay'))).toMatchObject({ status: 200, body: { status: 'answered' } });
    const read = async () => (await at(first, 'fay').request<{ status: string; text: string }>('GET', `/runs/${body.runId}`)).body;
    expect((await until(read, ({ status }) => status === 'completed')).text).toBe('Deployed.');
  });
});
