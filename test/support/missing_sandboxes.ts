/** What test/support/probe_sandboxes.ts found out about this machine. */
import type { SandboxKind } from '../../src/port/shell';

export const SANDBOXES = ['bubblewrap', 'namespaces'] as const satisfies readonly SandboxKind[];
export const PROBED = 'NETA_TEST_MISSING_SANDBOXES';

/** Why a kind does not work on this machine. */
export type MissingSandboxes = Partial<Record<SandboxKind, string>>;

export const missing = JSON.parse(process.env[PROBED] ?? '{}') as MissingSandboxes;

/** Why the gateways of tests have no sandbox; undefined when they have one. */
export const whyNoSandbox = (): string | undefined => {
  if (process.env['NETA_SANDBOX'] === 'none') return 'NETA_SANDBOX=none';
  return SANDBOXES.every(kind => missing[kind] !== undefined) ? missing.namespaces : undefined;
};

/**
 * The sandbox of a gateway in a test: NETA_SANDBOX of the tests, else the strongest. Where none works, its commands run as an operator allows
 * it, without asking.
 */
export const sandboxSettings = (): Record<string, string> => {
  const chosen = process.env['NETA_SANDBOX'] ?? (whyNoSandbox() === undefined ? undefined : 'none');
  return chosen === undefined ? {} : { NETA_SANDBOX: chosen };
};
