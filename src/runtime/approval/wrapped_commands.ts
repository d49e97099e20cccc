/** Finds the command that another command runs, such as `rm` in `env A=1 timeout 9 rm x`. */
import { posix } from 'node:path';

export const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish']);

interface Wrapper {
  /** Flags whose value is the next word. */
  valued: RegExp;
  /** Number of words between the flags and the command. */
  operands?: number;
  /** Flags that contain a command line. */
  text?: RegExp;
}

const NO_VALUES: Wrapper = { valued: /^$/ };
/** Matches the flag in `env -S 'rm x'`. */
const TEXT_FLAG = /^(-[a-z]*S|--split-string(=|$))/;

const WRAPPERS = new Map<string, Wrapper>([
  ['env', { valued: /^(-[uC]|--(unset|chdir))$/, text: TEXT_FLAG }],
  ['nohup', NO_VALUES],
  ['time', { valued: /^(-[fo]|--(format|output))$/ }],
  ['nice', { valued: /^(-n|--adjustment)$/ }],
  ['ionice', { valued: /^(-[cn]|--(class|classdata))$/ }],
  ['setsid', NO_VALUES],
  ['stdbuf', { valued: /^(-[ioe]|--(input|output|error))$/ }],
  ['timeout', { valued: /^(-[ks]|--(kill-after|signal))$/, operands: 1 }],
  ['flock', { valued: /^(-[wE]|--(wait|timeout|conflict-exit-code))$/, operands: 1 }],
  ['chroot', { valued: NO_VALUES.valued, operands: 1 }],
  ['taskset', { valued: NO_VALUES.valued, operands: 1 }],
  ['strace', { valued: /^-[eoPsSuEaIOX]$/ }],
  ['xargs', { valued: /^(-[InLPsdaE]|--(arg-file|delimiter|max-args|max-chars|max-procs|process-slot-var))$/ }],
  ['command', NO_VALUES],
  ['builtin', NO_VALUES],
  ['exec', { valued: /^-a$/ }],
  ['busybox', NO_VALUES],
]);
const KEYWORDS = /^(if|then|else|elif|do|while|until|coproc|!|\{)$/;

/** Removes wrappers such as `env A=1 timeout 9`. A flag that contains a command line comes first in the rest. */
export function unwrapped(words: readonly string[]): readonly string[] {
  let i = 0;
  for (;;) {
    const word = words[i];
    if (word === undefined) return [];
    const wrapper = WRAPPERS.get(posix.basename(word));
    if (wrapper) {
      i = skipFlags(words, i + 1, wrapper);
      if (wrapper.text?.test(words[i] ?? '')) return words.slice(i);
      i += wrapper.operands ?? 0;
    } else if (KEYWORDS.test(word) || /^[A-Za-z_]\w*=/.test(word)) i += 1;
    else if (word === 'function') i += 2;
    else return words.slice(i);
  }
}

function skipFlags(words: readonly string[], from: number, { valued, text }: Wrapper): number {
  let i = from;
  for (let word = words[i]; word?.startsWith('-') && !text?.test(word); word = words[i]) i += valued.test(word) ? 2 : 1;
  return i;
}

/** Returns the command line that a program gets as text, such as the text after `sh -c`. `name` can be a path. */
export function scriptIn(name: string, args: readonly string[]): string | undefined {
  if (TEXT_FLAG.test(name)) return [name.replace(TEXT_FLAG, ''), ...args].join(' ');
  const program = posix.basename(name);
  if (SHELLS.has(program)) return afterFlag(args, /^-[A-Za-z]*c[A-Za-z]*$/);
  switch (program) {
    case 'eval':
    case '-c':
      return args.join(' ');
    case 'trap':
      return args[0];
    case 'script':
      return afterFlag(args, /^(-[a-z]*c|--command)$/);
    case 'watch':
      return args.slice(skipFlags(args, 0, { valued: /^(-n|--interval)$/ })).join(' ');
    case 'parallel':
      return argsBeforeInputs(
        args.slice(skipFlags(args, 0, { valued: /^(-[jnNIaL]|--(jobs|max-args|arg-file|joblog|results|delay|timeout))$/ })),
      ).join(' ');
    case 'ssh':
      return args.slice(skipFlags(args, 0, { valued: /^-[BbcDEeFIiJLlmOopQRSWw]$/ }) + 1).join(' ');
    default:
      return undefined;
  }
}

function afterFlag(args: readonly string[], flag: RegExp): string | undefined {
  const index = args.findIndex(arg => flag.test(arg));
  return index === -1 ? undefined : args[skipFlags(args, index + 1, { valued: /^[-+][oO]$/ })];
}

function argsBeforeInputs(args: readonly string[]): readonly string[] {
  const end = args.findIndex(arg => /^:::/.test(arg));
  return end === -1 ? args : args.slice(0, end);
}
