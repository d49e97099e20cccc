/** Results of test/support/probe_sandboxes.ts on this machine. */
import type { SandboxKind } from '../../src/port/shell';

export const SANDBOXES = ['bubblewrap', 'namespaces'] as const satisfies readonly SandboxKind[];
export const PROBED = 'NETA_TEST_MISSING_SANDBOXES';

/** Kind -> the reason why it does not work on this machine. */
export type MissingSandboxes = Partial<Record<SandboxKind, string>>;

export const missing = JSON.parse(process.env[PROBED] ?? '{}') as MissingSandboxes;

/** Returns the reason why test gateways have no sandbox; undefined when they have one. */
export const whyNoSandbox = (): string | undefined => {
  if (process.env['NETA_SANDBOX'] === 'none') return 'NETA_SANDBOX=none';
  return SANDBOXES.every(kind => missing[kind] !== undefined) ? missing.namespaces : undefined;
};

/**
 * Returns the sandbox settings of a test gateway: NETA_SANDBOX of the test run, otherwise the strongest kind. If none works, commands run without
 * approval, as with NETA_SANDBOX=none.
 */
export const sandboxSettings = (): Record<string, string> => {
  const chosen = process.env['NETA_SANDBOX'] ?? (whyNoSandbox() === undefined ? undefined : 'none');
  return chosen === undefined ? {} : { NETA_SANDBOX: chosen };
};
