/** Commands of a gateway in each kind of sandbox: what they can see, and that they end with their own gateway only. */

import { findProcesses } from '../fault/processes';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { startGateway } from '../support/gateway';
import { SANDBOXES } from '../support/missing_sandboxes';
import { describeSandboxes } from '../support/sandbox_table';
import { until } from '../support/until';

let nextSeconds = 8_000_000 + process.pid;
/** A unique number of seconds to sleep, by which the test finds its process. */
const uniqueSeconds = () => String(nextSeconds++);

const callTool = (bench: AgentBench, command: string) =>
  bench.rest.request<Record<string, string>>('POST', '/tools/call', { toolName: 'bash', parameters: { command } });

/** Starts a command that sleeps for days. Resolves once it sleeps. */
async function startSleep(bench: AgentBench, command: (seconds: string) => string): Promise<string> {
  const seconds = uniqueSeconds();
  // The gateway may be killed before it answers.
  callTool(bench, command(seconds)).catch(() => {});
  await until(async () => (await findProcesses(seconds)).includes(`sleep ${seconds}`));
  return seconds;
}

describeSandboxes('commands of a gateway', ['none', ...SANDBOXES], kind => {
  let bench: AgentBench;
  beforeAll(async () => {
    bench = await startBench({ env: { NETA_SANDBOX: kind } });
  });
  afterAll(() => bench?.stop());

  const callBash = (command: string) => callTool(bench, command);

  it('report the sandbox in /info, in readyz and at the start', async () => {
    const sandbox = { kind, network: kind === 'none' };
    expect((await bench.rest.request('GET', '/info')).body).toMatchObject({ sandbox });
    expect((await bench.rest.request('GET', '//readyz')).body).toMatchObject({ sandbox });
    expect(bench.gateway.output()).toContain(kind === 'none' ? 'run without a sandbox' : `run in a sandbox (${kind}), without network`);
  });

  if (kind !== 'none') {
    it('see neither the environment of the gateway nor its files', async () => {
      const { dataDir, pid, workspace } = bench.gateway;
      const command = `cat /proc/*/environ /proc/${pid}/environ ${dataDir}/neta.db ${workspace}/../data/neta.db; ls -R ${workspace}/..`;
      const { body } = await callBash(command);
      expect(body['message']).toContain('No such file');
      expect(body['message']).not.toMatch(new RegExp(`${MODEL_KEY}|OPENAI|neta\\.db$`, 'm'));
    });

    it('cannot reach the doors of the gateway', async () => {
      const { hostname, port } = new URL(bench.gateway.url);
      const { body } = await callBash(`exec 3<>/dev/tcp/${hostname}/${port} && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`);
      expect(body).toMatchObject({ status: 'error', error: expect.stringContaining('Connection refused') });
    });
  }

  it('keep running when another gateway starts', async () => {
    const seconds = await startSleep(bench, text => `sleep ${text}`);
    await (await startGateway({ env: { NETA_SANDBOX: kind } })).stop();
    expect(await findProcesses(seconds)).not.toEqual([]);
  });

  it('end with a gateway that was killed, or when its successor starts', async () => {
    const seconds = await startSleep(bench, text => `setsid sleep ${text} & sleep ${text}`);
    await bench.gateway.kill();
    if (kind !== 'none') await until(async () => (await findProcesses(seconds)).length === 0);
    await bench.gateway.restart();
    expect(await findProcesses(seconds)).toEqual([]);
  });
});

describeSandboxes('a gateway in another PID namespace', ['namespaces'], kind => {
  it('keeps its commands when a gateway with the same host name starts', async () => {
    const prefix = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const inside = await startBench({ env: { NETA_SANDBOX: kind }, prefix });
    try {
      const seconds = await startSleep(inside, text => `sleep ${text}`);
      await (await startGateway({ env: { NETA_SANDBOX: kind } })).stop();
      expect(await findProcesses(seconds)).not.toEqual([]);
    } finally {
      await inside.stop();
    }
  });
});

describeSandboxes('a machine with mounts below a system directory', SANDBOXES, kind => {
  it('shows them read-only', async () => {
    const mount = 'mount -t tmpfs -o noexec none /usr/local && mkdir "/usr/local/a b" && mount -t tmpfs none "/usr/local/a b" && exec "$@"';
    const prefix = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh'];
    const bench = await startBench({ env: { NETA_SANDBOX: kind }, prefix });
    try {
      const { body } = await callTool(bench, 'touch /usr/local/x "/usr/local/a b/x"; touch made; ls -A "/usr/local/a b" . ');
      expect(String(body['message']).match(/Read-only file system/g)).toHaveLength(2);
      expect(body['message']).toContain('made');
    } finally {
      await bench.stop();
    }
  });
});

describeSandboxes('a machine that closes user namespaces', ['namespaces'], () => {
  it('leaves auto without a sandbox, and the gateway says so', async () => {
    const close = 'echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all "$@"';
    const prefix = ['unshare', '--user', '--map-root-user', 'sh', '-c', close, 'sh'];
    const gateway = await startGateway({ env: { NETA_SANDBOX: 'auto' }, prefix });
    try {
      expect(await (await fetch(`${gateway.url}/readyz`)).json()).toMatchObject({ sandbox: { kind: 'none', network: true } });
      expect(gateway.output()).toContain('WARNING: commands run without a sandbox, as this user.');
    } finally {
      await gateway.stop();
    }
  });
});
