/** What test/support/probe_sandboxes.ts found out about this machine. */
import type { SandboxKind } from '../../src/port/shell';

export const SANDBOXES = ['bubblewrap', 'namespaces'] as const satisfies readonly SandboxKind[];
export const PROBED = 'NETA_TEST_MISSING_SANDBOXES';

/** Why a kind does not work on this machine. */
export type MissingSandboxes = Partial<Record<SandboxKind, string>>;

export const missing = JSON.parse(process.env[PROBED] ?? '{}') as MissingSandboxes;

/** Settings for a gateway in a test: where no sandbox works, its commands run as an operator allows it, without asking. */
export const sandboxSettings = (): Record<string, string> =>
  SANDBOXES.every(kind => missing[kind] !== undefined) ? { NETA_SANDBOX: 'none' } : {};
