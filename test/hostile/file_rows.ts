/** Rows for file tools: paths that lead outside or block, and files with unusual content. */
import type { Row } from './hostile_bench';

/** Arguments with a path, by tool. */
const PATH_TOOLS: Record<string, (path: string) => Record<string, unknown>> = {
  read_file: path => ({ path }),
  file_read: path => ({ path }),
  list_dir: path => ({ path }),
  file_list: path => ({ path, pattern: '**' }),
  search: path => ({ pattern: 'canary', path }),
  write_file: path => ({ path, content: 'overwritten' }),
  file_write: path => ({ path, content: 'appended', mode: 'append' }),
  patch: path => ({ path, old_string: 'canary', new_string: 'changed' }),
  file_mkdir: path => ({ path }),
  file_delete: path => ({ path }),
  bash: path => ({ command: 'true', cwd: path }),
};

/** Paths that every tool must refuse. */
const REFUSED = (outside: string): string[] => [
  '../outside.txt',
  'directory/../../outside.txt',
  './././../../../../../../../../etc/passwd',
  '/etc/passwd',
  '//etc/passwd',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  '/proc/self/fd/0',
  '/dev/zero',
  '/dev/stdin',
  `${outside}/canary.txt`,
  'link_out/canary.txt',
  'link_out/new/file.txt',
  'directory/../link_out/canary.txt',
  'dangling',
  'loop',
  'loop/x',
  'plain.txt/x',
  'plain.txt/../../outside.txt',
  'nul\0.txt',
  `${'d/'.repeat(300)}${'x'.repeat(256)}`,
  'x'.repeat(4_097),
  '',
];

const INSIDE_BUT_MISSING = /^plain\.txt\/x$|^d\/d\//;

/** Odd names inside the workspace, and links that only some tools may read: any result except an escape. */
const ODD = [
  'link_file',
  'link_out',
  'zero',
  'pipe',
  'socket',
  'directory',
  '.',
  '%2e%2e%2foutside.txt',
  '..%2f..%2fetc%2fpasswd',
  '..\\..\\outside.txt',
  'C:\\Windows\\win.ini',
  '\u2025/outside.txt',
  '\uff0e\uff0e/outside.txt',
  '..\u200b/outside.txt',
  '~/.ssh/id_rsa',
  '$HOME/.ssh/id_rsa',
  'file:///etc/passwd',
  '-rf',
  'a\nb',
  '\u202etxt.exe',
  'PLAIN.TXT',
  'x'.repeat(300),
  '\ud800lone',
];

const PROTECTED = [
  '.git/hooks/pre-commit',
  '.GIT/HOOKS/pre-commit',
  'sub/.git/config',
  '.git/./hooks/../hooks/x',
  '.git/modules/a/hooks/x',
];
const WRITERS = ['write_file', 'file_write', 'file_mkdir'];
const GLOB_BOMBS = [
  '**/'.repeat(66),
  '**/*'.repeat(50),
  '{a,b}'.repeat(40),
  '{**,*}'.repeat(33),
  '*n'.repeat(100),
  '?*'.repeat(100),
  '{,'.repeat(100),
];
const REGEX_BOMBS = [
  '(n+)+$',
  '(a|a)*b',
  '(.*)*x',
  '((a{1,100}){1,100}){1,100}',
  '(x+x+)+y',
  'a{1000}{1000}',
  '['.repeat(500),
  '(?:'.repeat(300) + ')'.repeat(300),
];

export function fileRows(outside: string): Row[] {
  const each = (paths: string[], tools: string[], expect: Row['expect']): Row[] =>
    paths.flatMap(path =>
      tools.map(tool => ({ what: `${tool} ${JSON.stringify(path).slice(0, 60)}`, tool, args: PATH_TOOLS[tool]?.(path) ?? {}, expect })),
    );
  const tools = Object.keys(PATH_TOOLS);
  /** Sends every path to four tools, and a third of the paths to every tool. */
  const some = (paths: string[], expect: Row['expect']): Row[] =>
    paths.flatMap((path, at) =>
      each(
        [path],
        tools.filter((_, index) => (index + at) % 3 === 0),
        expect,
      ),
    );
  const exists = (path: string, expect: Row['expect']): Row => ({
    what: `file_exists ${JSON.stringify(path).slice(0, 60)}`,
    tool: 'file_exists',
    args: { path },
    expect,
  });
  return [
    // An answer may say that a path inside does not exist, but not a path outside.
    ...REFUSED(outside).map(path => exists(path, INSIDE_BUT_MISSING.test(path) ? /does not exist/ : 'error')),
    ...ODD.map(path => exists(path, 'any')),
    ...some(REFUSED(outside), 'error'),
    ...some(ODD, 'any'),
    ...each(PROTECTED, WRITERS, 'error'),
    ...each(
      ['zero', 'pipe', 'socket', 'directory', '.'],
      ['read_file', 'file_read', 'write_file', 'file_write', 'patch', 'file_delete'],
      'error',
    ),
    ...each(['link_file'], ['read_file', 'file_read', 'write_file', 'file_write', 'patch', 'file_delete', 'search'], 'error'),
    ...each(['sparse.bin'], ['read_file', 'file_read', 'file_write', 'patch'], /larger than/),
    ...each(['legacy.txt'], ['read_file', 'search', 'patch'], 'any'),
    ...GLOB_BOMBS.map(pattern => ({
      what: `file_list ${pattern.slice(0, 20)}`,
      tool: 'file_list',
      args: { pattern },
      expect: 'any' as const,
    })),
    ...REGEX_BOMBS.map(pattern => ({
      what: `search ${pattern.slice(0, 20)}`,
      tool: 'search',
      args: { pattern, path: 'same.txt' },
      expect: 'any' as const,
    })),
    { what: 'search with a glob bomb', tool: 'search', args: { pattern: 'n', include: '**/'.repeat(66) }, expect: 'any' },
  ];
}

const LINE = '  const value = compute(alpha, beta, gamma);\n';
const typo = LINE.replace('alpha', 'alhpa');

/** Rows that write through shared links and edit near every limit. */
export const EDIT_ROWS: Row[] = [
  { what: 'write_file over a hard link', tool: 'write_file', args: { path: 'hard', content: 'mine' }, expect: 'ok' },
  { what: 'file_write 1 MB', tool: 'file_write', args: { path: 'big.txt', content: 'x'.repeat(1_000_000) }, expect: 'ok' },
  { what: 'patch of similar lines', tool: 'patch', args: edit('same.txt', typo.repeat(600)), expect: 'error' },
  { what: 'patch of one similar line', tool: 'patch', args: edit('same.txt', typo), expect: 'error' },
  {
    what: 'patch of two similar lines around another',
    tool: 'patch',
    args: edit('same.txt', `${LINE.repeat(300)}x\n${LINE.repeat(300)}`),
    expect: 'error',
  },
  { what: 'patch of combining marks', tool: 'patch', args: edit('marks.txt', `${'e\u0301'.repeat(8_000)}x`), expect: 'error' },
  { what: 'patch of a line of a million characters', tool: 'patch', args: edit('line.txt', `${'a'.repeat(30_000)}b`), expect: 'error' },
  { what: 'patch with a quotation of 900 kB', tool: 'patch', args: edit('line.txt', 'b'.repeat(900_000)), expect: 'error' },
  {
    what: 'patch of everything',
    tool: 'patch',
    args: { path: 'line.txt', old_string: 'a', new_string: 'bcdefghijkl', replace_all: true },
    expect: 'error',
  },
  { what: 'patch of an empty quotation', tool: 'patch', args: edit('same.txt', ''), expect: 'error' },
];

function edit(path: string, old_string: string): Record<string, unknown> {
  return { path, old_string, new_string: 'x' };
}
