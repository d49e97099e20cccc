/** Debian's nginx on a free port of this machine, with the configuration in deploy/nginx. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until';

const CONFIG = join(__dirname, '../../deploy/nginx/neta-gateway.conf');

/** Why the tests behind nginx are skipped here; undefined where they run. */
export const noNginx = spawnSync('nginx', ['-v']).status === 0 ? undefined : 'needs nginx';

export interface Nginx {
  readonly url: string;
  /** Reads the configuration with all requests of an address at one gateway, or with each at the next. */
  setSticky(isSticky: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts nginx before gateways at two ports. */
export async function startNginx(gateways: readonly [string, string]): Promise<Nginx> {
  const home = await mkdtemp(join(tmpdir(), 'neta-nginx-'));
  await chmod(home, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const write = async (isSticky: boolean) => {
    const [first, second] = gateways.map(gateway => new URL(gateway).host);
    const config = (await readFile(CONFIG, 'utf8'))
      .replace('127.0.0.1:7001', first ?? '')
      .replace('127.0.0.1:7002', second ?? '')
      .replace('listen 8080;', `listen 127.0.0.1:${port};`);
    await writeFile(join(home, 'neta-gateway.conf'), isSticky ? config.replace('# ip_hash;', 'ip_hash; #') : config);
  };
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${home}/${name};`);
  // One worker: each would count its own turn.
  const main = `worker_processes 1; pid ${home}/pid; error_log stderr warn;
    events { worker_connections 512; }
    http { access_log off; ${paths.join(' ')} include ${home}/neta-gateway.conf; }`;
  await writeFile(join(home, 'nginx.conf'), main);
  await write(false);
  const child = spawn('nginx', ['-c', join(home, 'nginx.conf'), '-p', home, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr?.on('data', piece => {
    output += piece;
  });
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`nginx has ended: ${output}`);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await until(answers);
  return {
    url,
    async setSticky(isSticky) {
      await write(isSticky);
      child.kill('SIGHUP');
      // The worker that ends closes connections on which a request is under way.
      await until(() => isLoaded(url, isSticky).catch(() => false));
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Resolves true when requests go to one gateway, or to both, as they should: a polling connection answers only at its own. */
async function isLoaded(url: string, isSticky: boolean): Promise<boolean> {
  const polling = `${url}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1));
  const statuses: number[] = [];
  for (let i = 0; i < 2; i++) statuses.push((await fetch(`${polling}&sid=${sid}`, { method: 'POST', body: '3' })).status);
  return isSticky !== statuses.includes(400);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
