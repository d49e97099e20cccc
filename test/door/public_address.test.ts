/** A gateway that other machines can reach: it starts with keys and origins alone, and serves only callers with a key. */
import { networkInterfaces } from 'node:os';
import { io } from 'socket.io-client';
import { type AgentBench, startBench } from '../support/agent_bench';
import { connectChat } from '../support/chat_client';
import { startAndFail } from '../support/gateway';
import { createRestClient } from '../support/rest_client';

const SECRET = 'public-secret-0123456789';
const PAGE = 'https://pages.example';

const HOST = Object.values(networkInterfaces())
  .flat()
  .find(entry => entry && !entry.internal && entry.family === 'IPv4')?.address;

const onPublicAddress = HOST === undefined ? describe.skip : describe;

onPublicAddress('a gateway on an address of the machine (skipped without one)', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench({ env: { HOST: HOST ?? '', NETA_API_KEYS: `ada:${SECRET}`, NETA_ORIGINS: PAGE, NETA_MODEL: 'mock' } });
    bench.model.onTurn('hello', 'Hello from afar.');
  });
  afterAll(() => bench?.stop());

  const bearer = { authorization: `Bearer ${SECRET}` };

  it('does not start without keys or origins', async () => {
    const { code, output } = await startAndFail({ HOST: HOST ?? '', PORT: '0' });
    expect([code, output]).toEqual([1, expect.stringContaining('set NETA_API_KEYS and NETA_ORIGINS')]);
  });

  it('serves probes to everybody, and runs to callers with a key alone', async () => {
    expect(new URL(bench.gateway.url).hostname).toBe(HOST);
    expect((await bench.rest.request('GET', '//healthz')).status).toBe(200);
    expect((await bench.rest.run({ input: 'hello' })).status).toBe(401);
    expect((await bench.rest.run({ input: 'hello' }, bearer)).body).toMatchObject({ status: 'completed', text: 'Hello from afar.' });
  });

  it('opens a socket for a key, for no caller without one, and for no page of another origin', async () => {
    const { url } = bench.gateway;
    const client = await connectChat(url, { token: SECRET });
    await client.endOf((await client.chat('hello again')).runId);
    client.close();
    await expect(connectChat(url)).rejects.toMatchObject({ data: { error: { code: 'unauthenticated' } } });
    const foreign = io(url, {
      auth: { token: SECRET },
      extraHeaders: { origin: 'https://evil.example' },
      transports: ['websocket'],
      reconnection: false,
    });
    expect(await new Promise(resolve => foreign.once('connect', () => resolve('connected')).once('connect_error', resolve))).toBeInstanceOf(
      Error,
    );
    foreign.close();
  });

  it('answers pages of the allowed origin, and no others', async () => {
    const from = (origin: string) => createRestClient(bench.gateway.url).request('GET', '/me', undefined, { ...bearer, origin });
    const allowed = await from(PAGE);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect((await from('https://evil.example')).status).toBe(403);
  });
});
