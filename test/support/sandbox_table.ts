/**
 * Defines tests for each kind of sandbox. Tests of a kind that does not work on this machine are skipped, with the reason in their name.
 * NETA_REQUIRE_SANDBOX turns the skip into a failure: `1` for every kind, or kinds separated by commas.
 */

import type { Sandbox } from '../../src/adapter/local/shell/shell';
import type { SandboxOptions } from '../../src/adapter/sandbox/launcher';
import { trySandbox } from '../../src/adapter/sandbox/sandbox';
import type { SandboxKind } from '../../src/port/shell';
import { missing, SANDBOXES, whyNoSandbox } from './missing_sandboxes';

const required = (process.env['NETA_REQUIRE_SANDBOX'] ?? '').split(',');
const isRequired = (kind: SandboxKind): boolean => required.includes('1') || required.includes(kind);

/** Defines the same tests for each kind. */
export function describeSandboxes<K extends SandboxKind>(title: string, kinds: readonly K[], define: (kind: K) => void): void {
  for (const kind of kinds) {
    const name = `${title}, sandbox ${kind}`;
    if (missing[kind] === undefined) describe(name, () => define(kind));
    else if (isRequired(kind)) it(`${name} works on this machine`, () => Promise.reject(new Error(missing[kind])));
    else describe.skip(`${name} (skipped here: ${missing[kind]})`, () => define(kind));
  }
}

/** Defines a test that needs a sandbox of any kind. */
export function itInSandbox(name: string, test: () => Promise<void>): void {
  const reason = whyNoSandbox();
  if (reason === undefined) it(name, test);
  else if (SANDBOXES.some(isRequired)) it(name, () => Promise.reject(new Error(reason)));
  else it.skip(`${name} (skipped here: ${reason})`, test);
}

/** Creates the sandbox; undefined for `none`. Rejects when the kind does not work. */
export async function openKind(kind: SandboxKind, options: SandboxOptions): Promise<Sandbox | undefined> {
  if (kind === 'none') return undefined;
  const attempt = await trySandbox(kind, options);
  if ('reason' in attempt) throw new Error(attempt.reason);
  return attempt.sandbox;
}
