/** Chooses the sandbox for commands: the one that the operator asked for, or the strongest that works on this machine. */
import type { SandboxKind } from '../../port/shell';
import type { Sandbox } from '../local/shell';
import { type BubblewrapOptions, detectBubblewrap } from './bubblewrap';

export type SandboxChoice = 'auto' | 'landlock' | SandboxKind;

/** Resolves undefined for `none`, and for `auto` where no sandbox works. Rejects with one sentence when the kind that was asked for does not work. */
export async function openSandbox(choice: SandboxChoice, options: BubblewrapOptions): Promise<Sandbox | undefined> {
  if (choice === 'none') return undefined;
  if (choice === 'landlock') {
    throw new Error('NETA_SANDBOX=landlock is not offered: use auto, bubblewrap, namespaces or none.');
  }
  const sandbox = choice === 'namespaces' ? undefined : await detectBubblewrap(options);
  if (sandbox || choice === 'auto') return sandbox;
  throw new Error(`NETA_SANDBOX=${choice}: this sandbox does not work on this machine.`);
}
