/** Runs once before all tests and checks which sandboxes work on this machine; tests of the others are skipped, with the reason in their name. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trySandbox } from '../../src/adapter/sandbox/sandbox';
import { type MissingSandboxes, PROBED, SANDBOXES } from './missing_sandboxes';

export async function probeSandboxes(): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'neta-probe-')));
  const missing: MissingSandboxes = {};
  for (const kind of SANDBOXES) {
    const attempt = await trySandbox(kind, { root });
    if ('reason' in attempt) missing[kind] = attempt.reason;
  }
  process.env[PROBED] = JSON.stringify(missing);
  await rm(root, { recursive: true });
}
