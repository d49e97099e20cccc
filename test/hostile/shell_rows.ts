/** Rows for commands that try to leave the sandbox or never end. Other tests prove the limits that stop endless ones. */
import type { Row } from './hostile_bench';

export interface ShellTargets {
  /** A directory outside the workspace that contains a canary. */
  outside: string;
  /** Process id of the gateway. */
  pid: number;
  /** Port of a server on this machine. */
  port: string;
}

const TOOLS = ['bash', 'terminal'];

/** Rows for commands with and without the sandbox. */
const BOUNDED: [command: string, expect: Row['expect'], limits?: Record<string, unknown>][] = [
  ['echo a\0b', /NUL/],
  ['', /command: .*long/],
  [`echo ${'x'.repeat(200_000)}`, /command: .*32000/],
  [`echo ${'灯'.repeat(31_000)} | wc -c`, /93001/],
  ['head -c 200000 /dev/urandom', 'ok'],
  ["printf '\\033]0;title\\007\\033[2J\\0\\377\\376'", 'ok'],
  ['yes', /Killed after .* wrote more than/, { timeout_ms: 20_000 }],
  ['cat /dev/zero', /Killed after .* wrote more than/, { timeout_ms: 20_000 }],
  ['sleep 30', /Killed after 200 ms/, { timeout_ms: 200 }],
  ["trap '' TERM INT HUP; sleep 30", /Killed after 200 ms/, { timeout_ms: 200 }],
  ['sleep 30 & exit 3', /Exit code 3/],
  ['exec >&- 2>&-; exit 4', /Exit code 4/],
  ['cat', 'ok'],
  ['echo "\ud800"', 'any'],
  ['}', 'error'],
];

/** Rows for commands that end processes: without a sandbox they need approval, and no person can be asked here. */
const killItself = (isSandboxed: boolean): (typeof BOUNDED)[number] => [
  'kill -9 $$',
  isSandboxed ? /signal|Exit code 137/ : /ends processes/,
];

export function boundedShellRows(isSandboxed: boolean): Row[] {
  return [...BOUNDED, killItself(isSandboxed)].flatMap(([command, expect, limits]) =>
    TOOLS.map(tool => ({ what: `${tool} ${JSON.stringify(command).slice(0, 60)}`, tool, args: { command, ...limits }, expect })),
  );
}

/** Rows for the sandbox alone, which hides the files outside, the gateway and the network. */
export function sandboxedShellRows({ outside, pid, port }: ShellTargets): Row[] {
  const canary = `${outside}/canary.txt`;
  const commands: [string, Row['expect']][] = [
    [`cat ${canary}`, 'error'],
    ['cd .. && ls -a | grep -v workspace && cat */canary.txt', 'error'],
    [`cd ${outside}`, 'error'],
    ['cat link_file', 'error'],
    ['cat link_out/canary.txt', 'error'],
    ['ln -sf /proc/1/root/etc/shadow shadow; cat shadow', 'error'],
    [`cat /proc/${pid}/environ`, 'error'],
    ['(env; cat /proc/[0-9]*/environ /proc/self/environ | tr "\\0" "\\n") | grep -v ^PATH=', 'ok'],
    [`echo gone > ${canary}`, 'error'],
    ['echo gone > link_out/new.txt', 'error'],
    // The parent directory is a scratch directory of the sandbox; the real one does not change.
    ['echo gone > ../outside.txt', 'any'],
    ['echo gone > dangling', 'error'],
    [`exec 3<>/dev/tcp/127.0.0.1/${port} && echo sent`, 'error'],
    ['mount -t tmpfs none /mnt', 'error'],
    // Writes the current value, so that a success would change nothing.
    ['setting=$(cat /proc/sys/kernel/core_uses_pid) && echo "$setting" > /proc/sys/kernel/core_uses_pid', 'error'],
    ['test -w /proc/sysrq-trigger', 'error'],
  ];
  return commands.flatMap(([command, expect]) =>
    TOOLS.map(tool => ({ what: `${tool} ${command.slice(0, 60)}`, tool, args: { command }, expect })),
  );
}

/** Rows for one terminal, in this order: after each of them the next command starts inside the workspace. */
export const TERMINAL_ROWS: Row[] = [
  ['cd /', /outside the workspace/],
  ['pwd', /\/workspace\s*($|\[)/],
  ['cd link_out 2>/dev/null || cd /usr', /outside the workspace/],
  ['pwd', /\/workspace\s*($|\[)/],
  ['mkdir -p gone && cd gone && rmdir ../gone', /outside the workspace or gone/],
  ['pwd', /\/workspace\s*($|\[)/],
  ['export BIG=$(head -c 90000 /dev/zero | tr "\\0" x) BIG2=$(head -c 90000 /dev/zero | tr "\\0" y)', 'any'],
  ['export BASH_ENV=plain.txt PROMPT_COMMAND="exit 9" PATH= LD_PRELOAD=/nothing.so IFS=x', 'any'],
  ['cd(){ exit 9; }; trap "exit 9" EXIT DEBUG; set -e; false', 'error'],
  ['exit 7', /Exit code 7/],
].map(([command, expect]) => ({
  what: `terminal, in turn: ${command}`,
  tool: 'terminal',
  args: { command: String(command) },
  expect: expect as Row['expect'],
}));
