/** The text of the systemd unit that runs the gateway of a directory. */

export type ServiceScope = 'user' | 'system';

export interface UnitOptions {
  scope: ServiceScope;
  /** Directory with the file .env; the service may write there. */
  directory: string;
  /** Other directories that the service may write. */
  writable: readonly string[];
  /** The program with its arguments. */
  command: readonly string[];
  /** The user of a service of the system. */
  user?: string;
}

/** Seconds of a stop: 20 for runs that end, 8 for the rest, then a reserve before systemd kills. */
const STOP_SECONDS = 40;

/** Restrictions that a service of the user may have, too. */
const HARDENING = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
  'SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @swap',
  'UMask=0027',
];

/** Restrictions that only the system's systemd can make. */
const SYSTEM_HARDENING = [
  'CapabilityBoundingSet=',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHome=read-only',
  'ProtectKernelModules=yes',
  'RemoveIPC=yes',
];

/** Each line says what is left out and why: the sandbox of commands makes namespaces of its own. */
const LEFT_OUT = `# Left out, because the sandbox of commands needs it:
#   RestrictNamespaces, PrivateUsers: the sandbox makes user, PID, mount and network namespaces.
#   ProtectKernelTunables, ProtectKernelLogs, ProtectProc, ProcSubset: they cover parts of /proc, and the kernel
#   then refuses the sandbox a /proc of its own.
#   ProtectHostname: bubblewrap gives the sandbox a host name.
#   SystemCallFilter without @mount: the sandbox mounts.
# Left out, because Node compiles JavaScript while it runs: MemoryDenyWriteExecute.`;

/** Returns the text of the unit. */
export function unitText({ scope, directory, writable, command, user }: UnitOptions): string {
  const paths = [directory, ...writable.filter(path => !`${path}/`.startsWith(`${directory}/`))];
  const isSystem = scope === 'system';
  // An own /tmp would hide a directory in /tmp.
  const isInTmp = [...paths, ...command].some(path => /^\/(var\/)?tmp\//.test(path));
  return `${[
    '[Unit]',
    `Description=neta-gateway of ${escapePercent(directory)}`,
    ...(isSystem ? ['After=network-online.target', 'Wants=network-online.target'] : []),
    'StartLimitIntervalSec=60',
    'StartLimitBurst=5',
    '',
    '[Service]',
    ...(user === undefined ? [] : [`User=${user}`]),
    `WorkingDirectory=${escapePercent(directory)}`,
    `ExecStart=${command.map(quote).join(' ')}`,
    'Restart=on-failure',
    'RestartSec=2',
    '# Lets running tools end in order, and runs for 20 s.',
    'KillMode=mixed',
    `TimeoutStopSec=${STOP_SECONDS}`,
    '',
    ...HARDENING,
    ...(isInTmp ? [] : ['PrivateTmp=yes']),
    ...(isSystem ? SYSTEM_HARDENING : []),
    ...paths.map(path => `ReadWritePaths=${quote(path)}`),
    LEFT_OUT,
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
  ].join('\n')}\n`;
}

/** Returns the directory that the unit runs; undefined for the unit of another program. */
export const directoryOf = (unit: string): string | undefined => /^WorkingDirectory=(.+)$/m.exec(unit)?.[1]?.replaceAll('%%', '%');

/** Returns the directories that a unit with its drop-in files lets the service write. */
export const writableIn = (unit: string): string[] =>
  [...unit.matchAll(/^ReadWritePaths=(.*)$/gm)].flatMap(([, value = '']) =>
    [...value.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)].map(([word, quoted]) =>
      (quoted?.replaceAll(/\\(.)/g, '$1') ?? word.replace(/^[-+]+/, '')).replaceAll('%%', '%').replaceAll('$$', '$'),
    ),
  );

/** A percent sign begins a specifier of systemd. */
const escapePercent = (text: string): string => text.replaceAll('%', '%%');

/** Quotes a word when it needs quotation marks. A dollar sign begins a variable in ExecStart. */
function quote(word: string): string {
  const escaped = escapePercent(word);
  return /^[\w./:@%+,=-]+$/.test(escaped)
    ? escaped
    : `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '$$$$')}"`;
}
