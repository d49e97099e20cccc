/**
 * Starts the built gateway once and stops it, unless it has kept compiled code already. A gateway keeps it when it stops, and the gateways of tests
 * are killed: each would compile everything again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build_if_needed.mjs';

const KEPT = join(root, 'dist/compile_cache');
/** Milliseconds after which a gateway that says nothing, or does not stop, is killed. */
const START_MS = 60_000;

export async function keepCompiledCode() {
  // A start that failed, or a gateway that was killed, leaves empty directories.
  if (existsSync(KEPT) && readdirSync(KEPT, { recursive: true, withFileTypes: true }).some(entry => entry.isFile())) return;
  const home = await mkdtemp(join(tmpdir(), 'neta-first-start-'));
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    NETA_DATA_DIR: join(home, 'data'),
    NETA_WORKSPACE: join(home, 'workspace'),
  };
  const limits = { timeout: START_MS, killSignal: 'SIGKILL' };
  const gateway = spawn(process.execPath, ['bootstrap.js'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'], ...limits });
  // The first line says that the gateway is ready. When the start fails, the tests say why.
  gateway.stdout.once('data', () => gateway.kill('SIGTERM'));
  await once(gateway, 'exit');
  await rm(home, { recursive: true, force: true });
}
