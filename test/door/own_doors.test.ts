/** Commands of the agent cannot use the API of their own gateway: they start no run, read no session and decide no approval. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { createAgentConfig } from '../support/agent_config';
import { APPROVER } from '../support/approval_bench';
import { SANDBOXES } from '../support/missing_sandboxes';
import { describeSandboxes } from '../support/sandbox_table';
import { until } from '../support/until';

let bench: AgentBench;
let stopConfig: () => Promise<void>;

beforeAll(async () => {
  const config = await createAgentConfig(['base', 'terminal']);
  stopConfig = config.remove;
  bench = await startBench({ env: { NETA_SANDBOX: 'none', NETA_CONFIG_DIR: config.directory } });
});

afterAll(async () => {
  await bench?.stop();
  await stopConfig?.();
});

/** Runs the command in a new run and resolves with its output. */
async function outputOf(command: string, tool = 'bash', { model, rest } = bench): Promise<string> {
  const word = `task ${Math.random()}`;
  model.onTurn(word, { toolCalls: [{ name: tool, arguments: { command } }] }, ({ toolResults }) => `${toolResults}`);
  const { body } = await rest.run({ input: word });
  expect(body.toolCalls).toMatchObject([{ name: tool }]);
  return body.text;
}

const nodeScript = (script: string) => `${process.execPath} -e '${script}'`;
const api = (path: string) => `${bench.gateway.url}/api/v1${path}`;
const port = () => new URL(bench.gateway.url).port;
const CURL = "curl -s -m 20 -w ' status %{http_code}'";
const POLLING = '/socket.io/?EIO=4&transport=polling';

describe.each(['bash', 'terminal'])('[own-door] without a sandbox, a command of %s', tool => {
  it.each([
    ['that starts a run with curl', () => `${CURL} -X POST ${api('/runs')} -H 'content-type: application/json' -d '{"input":"hi"}'`],
    ['that reads approvals with curl', () => `${CURL} ${api('/approvals?status=pending')}`],
    ['that reads sessions over IPv4-mapped IPv6', () => `${CURL} http://[::ffff:127.0.0.1]:${port()}/api/v1/sessions -H 'host: localhost'`],
    ['that opens a polling connection', () => `${CURL} '${bench.gateway.url}${POLLING}'`],
    ['in a session of its own', () => `setsid -w ${CURL} ${api('/sessions')}`],
    ['with an empty environment', () => `env -i /bin/sh -c 'PATH=/usr/bin:/bin; exec ${CURL.replaceAll("'", '"')} ${api('/sessions')}'`],
    [
      'in an orphaned process with its own session and an empty environment',
      () =>
        `(setsid env -i /usr/bin/curl -s -m 20 -w ' status %{http_code}' ${api('/sessions')} > ${tool}.txt 2>&1 &)
        until grep -qs ' status ' ${tool}.txt; do sleep 0.05; done; cat ${tool}.txt`,
    ],
  ])('%s gets 403', async (_what, command) => {
    const output = await outputOf(command(), tool);
    expect(output).toContain('"code":"forbidden"');
    expect(output).toContain('status 403');
  });
});

describe('[own-door] without a sandbox, a command', () => {
  it('gets 403 for every request of a kept-alive connection', async () => {
    const script = `const h=require("http");const agent=new h.Agent({keepAlive:true,maxSockets:1});const get=()=>new Promise(r=>h.get("${api('/sessions')}",{agent},s=>{s.resume();s.on("end",()=>r(s.statusCode+(s.req.reusedSocket?"again":"")))}));(async()=>{for(let i=0;i<3;i++)console.log(await get());process.exit()})()`;
    expect(await outputOf(nodeScript(script))).toMatch(/403[\s\S]*403again[\s\S]*403again/);
  });

  it('cannot open a websocket', async () => {
    const script = `new WebSocket("${bench.gateway.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket").addEventListener("open",()=>console.log("opened"))`;
    const curl = `${CURL} -H 'connection: upgrade' -H 'upgrade: websocket' -H 'sec-websocket-version: 13' -H 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==' '${bench.gateway.url}/socket.io/?EIO=4&transport=websocket'`;
    const output = await outputOf(`${nodeScript(script)}; ${curl}`);
    expect(output).not.toContain('opened');
    expect(output).toContain('status 403');
  });

  it('has no effect when it exits right after sending a request', async () => {
    const body = '{"input":"sent blindly"}';
    const request = `POST /api/v1/runs HTTP/1.1\\r\\nHost: 127.0.0.1:${port()}\\r\\nContent-Type: application/json\\r\\nContent-Length: ${body.length}\\r\\n\\r\\n${body.replaceAll('"', '\\"')}`;
    const send = `exec 3<>/dev/tcp/127.0.0.1/${port()}; printf "${request}" >&3`;
    await outputOf(`for i in 1 2 3 4 5; do (${send}) & done; wait; ${send}; exit 0`);
    const { body: page } = await bench.rest.request<{ data: { input: string }[] }>('GET', '/runs?limit=100');
    expect(page.data.map(({ input }) => input)).not.toContain('sent blindly');
  });

  it('gets 403 long after it has ended, for what it left behind without a trace to it', async () => {
    const file = join(bench.gateway.workspace, 'late.txt');
    const late = `sleep 5; /usr/bin/curl -s -m 20 -w " status %{http_code}" ${api('/sessions')} > late.new; /bin/mv late.new late.txt`;
    await outputOf(`(setsid env -i /bin/sh -c 'PATH=/usr/bin:/bin; ${late}' >/dev/null 2>&1 &) ; sleep 0.2`);
    await until(() => existsSync(file), Boolean, { limitMs: 25_000 });
    expect(await readFile(file, 'utf8')).toContain('status 403');
  });

  it('cannot approve another command', async () => {
    const client = await bench.connect(APPROVER);
    bench.model.onTurn('remove it', { toolCalls: [{ name: 'bash', arguments: { command: 'rm -rf precious' } }] }, 'done');
    const { runId, sessionId } = await client.chat('remove it');
    const { data } = await client.waitFor('approval_request', event => event.runId === runId);
    const decision = `${CURL} -X POST ${api(`/approvals/${data.requestId}`)} -H 'content-type: application/json' -d '{"decision":"allow_once"}'`;
    expect(await outputOf(decision)).toContain('status 403');
    expect((await bench.rest.request<{ status: string }>('GET', `/runs/${runId}`)).body.status).toBe('waiting');
    await client.send({ type: 'approval_response', sessionId, requestId: data.requestId, decision: 'deny' });
    await client.endOf(runId);
  });

  it('does not block local programs and pages while it runs', async () => {
    bench.model.onTurn('take long', { toolCalls: [{ name: 'bash', arguments: { command: 'sleep 60' } }] }, 'done');
    const { body } = await bench.rest.run({ input: 'take long' }, { prefer: 'respond-async' });
    const answers = await Promise.all([...Array(50)].map(() => fetch(api(`/runs/${body.runId}`), { headers: { connection: 'close' } })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const client = await bench.connect(APPROVER);
    expect(await client.send({ type: 'ping' })).toMatchObject({ ok: true });
    expect((await bench.rest.request<{ status: string }>('GET', `/runs/${body.runId}`)).body.status).toBe('running');
    await bench.rest.request('POST', `/runs/${body.runId}/cancel`, {});
  });
});

describe.each([['10'], ['12'], ['19']])('[own-door] without a sandbox, at a gateway with the nice value %s', nice => {
  let niced: AgentBench;
  beforeAll(async () => {
    niced = await startBench({ env: { NETA_SANDBOX: 'none' }, prefix: ['nice', '-n', nice] });
  });
  afterAll(() => niced?.stop());

  it('an orphaned process with an empty environment gets 403, and a program that is older than the command is served', async () => {
    const call = `/usr/bin/curl -s -m 20 -w ' status %{http_code}' ${niced.gateway.url}/api/v1/sessions`;
    const orphan = `(setsid env -i ${call} > out.txt 2>&1 &) ; until grep -qs ' status ' out.txt; do sleep 0.05; done; cat out.txt`;
    expect(await outputOf(orphan, 'bash', niced)).toContain('status 403');
    expect((await niced.rest.request('GET', '/sessions')).status).toBe(200);
  });
});

describeSandboxes('[own-door] a command in a sandbox', SANDBOXES, kind => {
  let inside: AgentBench;
  beforeAll(async () => {
    inside = await startBench({ env: { NETA_SANDBOX: kind } });
  });
  afterAll(() => inside?.stop());

  it.each([
    ['curl over IPv4', url => `curl -sv -m 5 ${url}/api/v1/sessions`],
    ['curl over IPv6', url => `curl -sv -m 5 http://[::1]:${new URL(url).port}/api/v1/sessions`],
    ['the shell', url => `exec 3<>/dev/tcp/127.0.0.1/${new URL(url).port} && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`],
    ['the network of another process', url => `for p in 1 $PPID; do nsenter -t $p -n curl -s -m 5 ${url}/api/v1/sessions; done`],
    ['the files of another process', url => `cat /proc/*/root/proc/net/tcp | grep -i :$(printf %04X ${new URL(url).port})`],
    ['a new namespace', url => `unshare -rn curl -s -m 5 ${url}/api/v1/sessions`],
    ['sockets in the file system', () => `find /run /tmp /var /dev /etc /home /root . -type s 2>/dev/null | grep . && echo '"data"'`],
  ] satisfies [string, (url: string) => string][])('does not reach the gateway through %s', async (_what, command) => {
    const { body } = await inside.rest.request<{ message: string }>('POST', '/tools/call', {
      toolName: 'bash',
      parameters: { command: `${command(inside.gateway.url)}; true` },
    });
    expect(body.message).not.toMatch(/HTTP\/1\.|"data"|"status":|forbidden/);
    expect(body.message).not.toMatch(/^\s*\d+: [0-9A-F]+:/m);
  });
});
