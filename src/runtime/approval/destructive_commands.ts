/**
 * Recognises commands whose effect cannot be undone, by name and arguments. The heuristic prevents accidents where commands run without a
 * sandbox; it does not stop a malicious program.
 */
import { posix } from 'node:path';
import type { ToolLocale } from '../../tools/common';
import { type SimpleCommand, splitCommands } from './shell_words';
import { SHELLS, scriptIn, unwrapped } from './wrapped_commands';

export type LocalText = Readonly<Record<ToolLocale, string>>;

const REASONS = {
  deletes: { en: 'deletes files for good', 'zh-CN': '永久删除文件' },
  overwrites: { en: 'overwrites a disk, a device or a whole file', 'zh-CN': '覆盖磁盘、设备或整个文件' },
  permissions: { en: 'changes owners or permissions of a whole folder', 'zh-CN': '更改整个目录的属主或权限' },
  discards: { en: 'throws away work or history that git keeps', 'zh-CN': '丢弃 git 中的改动或历史' },
  publishes: { en: 'changes something that others rely on', 'zh-CN': '改动他人依赖的内容' },
  stops: { en: 'ends processes, services or the machine', 'zh-CN': '终止进程、服务或机器' },
  removes: { en: 'removes software, containers or data', 'zh-CN': '移除软件、容器或数据' },
  feeds: { en: 'runs a program text that comes from elsewhere', 'zh-CN': '运行来自别处的程序文本' },
  rights: { en: 'runs with the rights of another user', 'zh-CN': '以其他用户的权限运行' },
} as const satisfies Record<string, LocalText>;

type Reason = keyof typeof REASONS;
type Check = (args: readonly string[], command: SimpleCommand) => Reason | undefined;

/** Returns why a person should approve the command line, or undefined when it looks harmless. */
export function destructionIn(line: string): LocalText | undefined {
  const reason = reasonIn(line, 0);
  return reason && REASONS[reason];
}

/** Levels of commands within the arguments of commands. Deeper ones count as harmful. */
const MAX_DEPTH = 3;

function reasonIn(line: string, depth: number): Reason | undefined {
  if (/\bdrop\s+(table|database|schema)\b|\btruncate\s+table\b/i.test(line)) return 'removes';
  if (/\b(shutil\.rmtree|os\.(remove|unlink|rmdir)|fs\.rm(Sync)?|unlinkSync)\b/.test(line)) return 'deletes';
  for (const command of splitCommands(line)) {
    const reason = reasonOf(command, depth);
    if (reason) return reason;
  }
  return undefined;
}

function reasonOf(command: SimpleCommand, depth: number): Reason | undefined {
  const { words, isFed, isTail } = command;
  if (depth > MAX_DEPTH) return 'feeds';
  if (overwritesDevice(words) || (!isTail && words[0] === '>' && !isDevice(words[1]))) return 'overwrites';
  const [name, ...args] = unwrapped(words);
  if (name === undefined) return undefined;
  const program = posix.basename(name);
  const inner = scriptIn(name, args);
  if (inner !== undefined) return reasonIn(inner, depth + 1);
  if (SHELLS.has(program) || INTERPRETERS.test(program)) return readsProgram(args, isFed) ? 'feeds' : undefined;
  if (program === 'find' || program === 'fd') return findReason(args, depth);
  if (program.startsWith('mkfs')) return 'overwrites';
  return CHECKS.get(program)?.(args, command);
}

const INTERPRETERS = /^(python|node|perl|ruby|php)[\d.]*$/;

/** Returns true when an interpreter reads its program from a pipe, a redirection or a substitution, not from a file. */
function readsProgram(args: readonly string[], isFed: boolean): boolean {
  const own = args.filter((arg, i) => !REDIRECTION.test(arg) && !REDIRECTION.test(args[i - 1] ?? ''));
  const hasFile = own.some(arg => arg !== '-' && !arg.startsWith('-'));
  return ((isFed || args.includes('<')) && !hasFile) || args.includes('/dev/stdin');
}

const REDIRECTION = /^(<|>>?)$/;
const HARMLESS_DEVICES = /^\/dev\/(null|zero|stdout|stderr|tty|fd\/\d+)$/;

const isDevice = (word: string | undefined): boolean => word === undefined || word.startsWith('/dev/');

function overwritesDevice(words: readonly string[]): boolean {
  const isTarget = (word: string, i: number) => /^>>?$/.test(words[i - 1] ?? '') && word.startsWith('/dev/');
  return words.some((word, i) => isTarget(word, i) && !HARMLESS_DEVICES.test(word));
}

function findReason(args: readonly string[], depth: number): Reason | undefined {
  if (args.includes('-delete')) return 'deletes';
  const index = args.findIndex(arg => /^(-exec(dir)?|-ok(dir)?|-x|-X|--exec(-batch)?)$/.test(arg));
  return index === -1 ? undefined : reasonOf({ words: args.slice(index + 1), isFed: false, isTail: false }, depth + 1);
}

const always =
  (reason: Reason): Check =>
  () =>
    reason;
/** Applies when an argument is one of `long`, or a group of short flags contains one of `letters`. */
const withFlag =
  (reason: Reason, letters: string, ...long: string[]): Check =>
  args =>
    hasFlag(args, letters, ...long) ? reason : undefined;
const withWord =
  (reason: Reason, words: RegExp): Check =>
  args =>
    args.some(arg => words.test(arg)) ? reason : undefined;

function hasFlag(args: readonly string[], letters: string, ...long: string[]): boolean {
  const bundle = letters && new RegExp(`^-[A-Za-z]*[${letters}]`);
  return args.some(arg => long.includes(arg) || (bundle !== '' && bundle.test(arg)));
}

function gitReason(args: readonly string[]): Reason | undefined {
  const index = args.findIndex((arg, i) => !arg.startsWith('-') && !/^-[Cc]$/.test(args[i - 1] ?? ''));
  const rest = args.slice(index + 1);
  switch (index === -1 ? undefined : args[index]) {
    case 'reset':
      return hasFlag(rest, '', '--hard', '--merge', '--keep') ? 'discards' : undefined;
    case 'clean':
      return hasFlag(rest, 'n', '--dry-run') ? undefined : 'discards';
    case 'checkout':
      return hasFlag(rest, 'f', '--force', '--') || rest.includes('.') ? 'discards' : undefined;
    case 'restore':
      return hasFlag(rest, '', '--staged') && !hasFlag(rest, 'W', '--worktree') ? undefined : 'discards';
    case 'branch':
    case 'tag':
      return hasFlag(rest, 'Dd', '--delete') ? 'discards' : undefined;
    case 'stash':
      return /^(drop|clear)$/.test(rest[0] ?? '') ? 'discards' : undefined;
    case 'filter-branch':
    case 'filter-repo':
    case 'update-ref':
      return 'discards';
    case 'rm':
      return 'deletes';
    case 'push':
      return isForced(rest) ? 'publishes' : undefined;
    default:
      return undefined;
  }
}

const isForced = (args: readonly string[]): boolean =>
  hasFlag(args, 'fd', '--force', '--delete', '--mirror', '--prune') || args.some(arg => /^\+|^:|^--force-with-lease/.test(arg));

const CHECKS = new Map<string, Check>([
  ['rm', always('deletes')],
  ['unlink', always('deletes')],
  ['shred', always('deletes')],
  ['rimraf', always('deletes')],
  ['truncate', always('overwrites')],
  ['wipefs', always('overwrites')],
  ['fdisk', always('overwrites')],
  ['sfdisk', always('overwrites')],
  ['parted', always('overwrites')],
  ['mv', args => (args.at(-1) === '/dev/null' ? 'deletes' : undefined)],
  ['cp', args => (args[0] === '/dev/null' ? 'overwrites' : undefined)],
  ['dd', withWord('overwrites', /^of=(?!\/dev\/(null|stdout|stderr)$)/)],
  ['tee', withWord('overwrites', /^\/dev\/(?!null$|stdout$|stderr$|tty$)/)],
  ['rsync', withWord('deletes', /^--(delete|remove-source-files)/)],
  ['chmod', withFlag('permissions', 'R', '--recursive')],
  ['chown', withFlag('permissions', 'R', '--recursive')],
  ['chgrp', withFlag('permissions', 'R', '--recursive')],
  ['git', gitReason],
  ['kill', args => (args.some(arg => /^-(l|L|0|-list)$/.test(arg)) ? undefined : 'stops')],
  ['pkill', always('stops')],
  ['killall', always('stops')],
  ['shutdown', always('stops')],
  ['reboot', always('stops')],
  ['halt', always('stops')],
  ['poweroff', always('stops')],
  ['init', withWord('stops', /^[06]$/)],
  ['systemctl', withWord('stops', /^(stop|restart|disable|mask|kill|poweroff|reboot|halt|isolate)$/)],
  ['service', withWord('stops', /^(stop|restart)$/)],
  ['crontab', args => (hasFlag(args, 'l') ? undefined : 'removes')],
  ['userdel', always('removes')],
  ['groupdel', always('removes')],
  ['iptables', withFlag('stops', 'FDXP', '--flush', '--delete')],
  ['nft', withWord('stops', /^(flush|delete)$/)],
  ['apt', withWord('removes', /^(remove|purge|autoremove)$/)],
  ['apt-get', withWord('removes', /^(remove|purge|autoremove)$/)],
  ['dnf', withWord('removes', /^(remove|erase|autoremove)$/)],
  ['yum', withWord('removes', /^(remove|erase|autoremove)$/)],
  ['pip', withWord('removes', /^uninstall$/)],
  ['pip3', withWord('removes', /^uninstall$/)],
  ['npm', withWord('publishes', /^(publish|unpublish|deprecate)$/)],
  ['pnpm', withWord('publishes', /^publish$/)],
  ['yarn', withWord('publishes', /^publish$/)],
  ['cargo', withWord('publishes', /^(publish|yank)$/)],
  ['docker', withWord('removes', /^(rm|rmi|prune|kill|down)$/)],
  ['podman', withWord('removes', /^(rm|rmi|prune|kill|down)$/)],
  ['kubectl', withWord('publishes', /^(delete|drain|apply|replace)$/)],
  ['helm', withWord('publishes', /^(uninstall|delete|rollback)$/)],
  ['terraform', withWord('publishes', /^(apply|destroy)$/)],
  ['dropdb', always('removes')],
  ['sudo', always('rights')],
  ['doas', always('rights')],
  ['su', always('rights')],
  ['pkexec', always('rights')],
]);
