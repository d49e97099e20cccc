/** Chooses the sandbox for commands: the one that the operator configured, or the strongest that works on this machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SandboxKind } from '../../port/shell';
import { isInside } from '../local/disk/safe_path';
import type { Sandbox } from '../local/shell/shell';
import { createBubblewrap } from './bubblewrap';
import { guardGit } from './git_guard';
import { type Launcher, pathsToCover, type SandboxOptions, SYSTEM_DIRECTORIES } from './launcher';
import { createNamespaces } from './namespaces';
import { explainSandboxFailure, readSandboxPlace, type SandboxFailure } from './sandbox_advice';

export type SandboxChoice = 'auto' | 'landlock' | SandboxKind;

type Attempt = { sandbox: Sandbox } | { reason: string };

const PROBE_TIMEOUT_MS = 10_000;
const MAX_REASON = 200;

/** The sandbox, if commands get one. `problem`: why `auto` found none, in sentences for an operator. */
export interface ChosenSandbox {
  sandbox?: Sandbox;
  problem?: string;
}

/**
 * Resolves without a sandbox for `none`, and for `auto` where no sandbox works. Runs a command in a sandbox before choosing it, because containers
 * often forbid the namespaces it needs. Rejects with one sentence when the configured kind does not work.
 */
export async function openSandbox(choice: SandboxChoice, options: SandboxOptions): Promise<ChosenSandbox> {
  if (choice === 'none') return {};
  if (choice === 'landlock') {
    throw new Error('NETA_SANDBOX=landlock is not offered (docs/decisions/0011): use auto, bubblewrap, namespaces or none.');
  }
  const kinds = choice === 'auto' ? (['bubblewrap', 'namespaces'] as const) : [choice];
  const failures: SandboxFailure[] = [];
  for (const kind of kinds) {
    const attempt = await trySandbox(kind, options);
    if ('sandbox' in attempt) return attempt;
    if (choice !== 'auto') throw new Error(`NETA_SANDBOX=${choice} does not work on this machine: ${attempt.reason}.`);
    failures.push({ kind, reason: attempt.reason });
  }
  return { problem: explainSandboxFailure(failures, readSandboxPlace(process.env)) };
}

/** Tries one kind of sandbox; resolves the reason when it does not work here. Never rejects. */
export async function trySandbox(kind: Exclude<SandboxKind, 'none'>, options: SandboxOptions): Promise<Attempt> {
  if (kind === 'namespaces') return tryLauncher(createNamespaces, options);
  const attempt = await tryLauncher(createBubblewrap, options);
  if ('sandbox' in attempt || options.scratchBytes === undefined) return attempt;
  // Versions before 0.7 cannot limit the size of /tmp.
  return tryLauncher(createBubblewrap, { ...options, scratchBytes: undefined });
}

type LauncherMaker = (options: SandboxOptions) => Launcher | Promise<Launcher>;

async function tryLauncher(createLauncher: LauncherMaker, options: SandboxOptions): Promise<Attempt> {
  const { root, path = process.env['PATH'] } = options;
  try {
    const launcher = await createLauncher(options);
    const { command, args } = await launcher.launch({ program: ['/bin/sh', '-c', 'exit 0'], cwd: root, mounts: [] });
    await promisify(execFile)(command, args, { timeout: PROBE_TIMEOUT_MS, env: { PATH: path } });
    return { sandbox: createSandbox({ isolation: launcher.isolation, createLauncher }, options, Promise.resolve(launcher)) };
  } catch (thrown) {
    return { reason: reasonOf(thrown) };
  }
}

/** Creates the sandbox. `opened`: its launcher, when it was created before. */
function createSandbox(
  kind: { isolation: Launcher['isolation']; createLauncher: LauncherMaker },
  options: SandboxOptions,
  opened?: Promise<Launcher>,
): Sandbox {
  const { root, hidden } = options;
  let launcher = opened;
  const openLauncher = async () => kind.createLauncher(options);
  return {
    isolation: kind.isolation,
    forRoot: other => createSandbox(kind, { ...options, root: other }),
    async wrap(command, args, cwd, extras) {
      const { mounts, descriptors, release } = await guardGit(root);
      try {
        launcher ??= openLauncher();
        const { launch } = await launcher;
        const visible = extras && { ...extras, readable: await hiddenAmong(extras.readable ?? [], hidden) };
        return { ...(await launch({ program: [command, ...args], cwd, mounts, ...visible })), descriptors, release };
      } catch (thrown) {
        await release();
        throw thrown;
      }
    },
  };
}

/** Returns the paths that a program in the sandbox does not see without a mount of their own. */
async function hiddenAmong(paths: readonly string[], hidden: readonly string[] | undefined): Promise<string[]> {
  const covered = await pathsToCover(hidden);
  const isIn = (directories: readonly string[], path: string) => directories.some(directory => isInside(directory, path));
  return paths.filter(path => !isIn(SYSTEM_DIRECTORIES, path) || isIn(covered, path));
}

/** Describes the failure: the first line that the program wrote, or its exit code. */
function reasonOf(thrown: unknown): string {
  const { stderr = '', code, path, message } = thrown as { stderr?: string; code?: unknown; path?: string; message?: string };
  if (code === 'ENOENT' && path !== undefined) return `the program ${path} is not installed`;
  const line = stderr.split('\n').find(text => text.trim() !== '');
  if (line !== undefined) return line.trim().slice(0, MAX_REASON).replace(/\.$/, '');
  return typeof code === 'string' ? `${message}` : `a command that was tried in it ended with code ${code ?? 'none'}`;
}
