/** The published MCP servers and the hostile one, for door tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RestClient } from './rest_client';

const PACKAGES = join(__dirname, '../../node_modules/@modelcontextprotocol');

/** Start files of the published servers. */
export const PUBLISHED = {
  everything: join(PACKAGES, 'server-everything/dist/index.js'),
  filesystem: join(PACKAGES, 'server-filesystem/dist/index.js'),
  memory: join(PACKAGES, 'server-memory/dist/index.js'),
} as const;

export interface McpConfig {
  /** The value for NETA_CONFIG_DIR. */
  readonly directory: string;
  /** Replaces mcp.yaml; a string is written unchanged. */
  write(servers: Record<string, unknown> | string): Promise<void>;
  remove(): Promise<void>;
}

/** Writes a default agent with the servers' toolsets and mcp.yaml. JSON is YAML. */
export async function createMcpConfig(servers: Record<string, unknown>, toolsets = Object.keys(servers)): Promise<McpConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-mcp-'));
  await mkdir(join(directory, 'agents'));
  const profile = { name: 'default', toolsets: ['base', 'interaction', ...toolsets] };
  await writeFile(join(directory, 'agents/default.yaml'), JSON.stringify(profile));
  const write = (next: Record<string, unknown> | string) =>
    writeFile(join(directory, 'mcp.yaml'), typeof next === 'string' ? next : JSON.stringify({ servers: next }, null, 1));
  await write(servers);
  return { directory, write, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** Configuration of a published server over stdio, or of the hostile one in a mode. */
export const stdio = (file: string, ...args: string[]) => ({ command: process.execPath, args: [file, ...args] });

export interface McpServerRow {
  name: string;
  transport: string;
  state: string;
  tools: string[];
  error?: string;
  enabled: boolean;
  problems: string[];
  needsLogin?: boolean;
  nextTryMs?: number;
}

export async function listServers(rest: RestClient): Promise<Record<string, McpServerRow>> {
  const { body } = await rest.request<{ data: McpServerRow[] }>('GET', '/mcp-servers');
  return Object.fromEntries(body.data.map(row => [row.name, row]));
}

/** Resolves with the rows once they satisfy the condition; rejects after `limitMs` with the last ones. */
export async function waitForServers(
  rest: RestClient,
  isReady: (rows: Record<string, McpServerRow>) => boolean,
  limitMs = 20_000,
): Promise<Record<string, McpServerRow>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const rows = await listServers(rest);
    if (isReady(rows)) return rows;
    if (performance.now() > deadline) throw new Error(`the servers did not get there: ${JSON.stringify(rows)}`);
    await delay(50);
  }
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Runs server-everything over HTTP. `kind`: its name for the transport. Resolves when it accepts connections. */
export async function startEverything(kind: 'streamableHttp' | 'sse', port?: number): Promise<HttpServer> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [PUBLISHED.everything, kind], {
    env: { PATH: process.env['PATH'], PORT: String(chosen) },
    stdio: 'ignore',
  });
  const path = kind === 'sse' ? 'sse' : 'mcp';
  await untilListening(chosen, child);
  return {
    url: `http://127.0.0.1:${chosen}/${path}`,
    port: chosen,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let left = 400; left > 0; left--) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const isUp = await fetch(`http://127.0.0.1:${port}/none`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await delay(50);
  }
  throw new Error('the server does not listen');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
