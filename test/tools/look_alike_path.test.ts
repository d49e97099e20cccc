/** File tools take the only path that looks like the asked one, and say so. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDeleteTool } from '../../src/tools/builtin/file_delete';
import { fileExistsTool } from '../../src/tools/builtin/file_exists';
import { fileListTool } from '../../src/tools/builtin/file_list';
import { fileMkdirTool } from '../../src/tools/builtin/file_mkdir';
import { fileReadTool } from '../../src/tools/builtin/file_read';
import { fileWriteTool } from '../../src/tools/builtin/file_write';
import { listDirTool } from '../../src/tools/builtin/list_dir';
import { patchTool } from '../../src/tools/builtin/patch';
import { readFileTool } from '../../src/tools/builtin/read_file';
import { searchTool } from '../../src/tools/builtin/search';
import { writeFileTool } from '../../src/tools/builtin/write_file';
import { openToolBench, type ToolBench } from '../support/tool_context';

const NARROW = 'Shots 4.42\u202fPM';
const PLAIN = 'Shots 4.42 PM';
let bench: ToolBench;
const at = (path: string) => join(bench.root, path);

beforeEach(async () => {
  bench = await openToolBench();
  await mkdir(at(NARROW));
  await writeFile(at(`${NARROW}/Resume\u0301.txt`), 'secret word\n');
});
afterEach(() => bench.close());

const FILE = `${PLAIN}/Resum\u00e9.txt`;
it.each([
  [readFileTool, { path: FILE }, 'secret word'],
  [readFileTool, { path: 'Shots 4.42\\u202fPM/Resume\\u0301.txt' }, 'secret word'],
  [fileReadTool, { path: FILE }, 'secret word'],
  [patchTool, { path: FILE, old_string: 'secret', new_string: 'open' }, '+open word'],
  [fileDeleteTool, { path: FILE }, 'Deleted'],
  [listDirTool, { path: PLAIN }, 'Resume\u0301.txt'],
  [fileListTool, { path: PLAIN }, 'Resume\u0301.txt'],
  [searchTool, { path: PLAIN, pattern: 'secret' }, 'secret word'],
])('$name uses the only one, and names it', async (tool, args, expected) => {
  const result = await bench.call(tool as typeof readFileTool, args as { path: string });
  expect(result).toMatchObject({ ok: true, content: expect.stringContaining(expected) });
  expect(result.content).toMatch(/^Used "Shots 4\.42\\u202fPM.*": the only path that looks the same\./);
});

it('writes to the file that it found', async () => {
  await bench.call(patchTool, { path: FILE, old_string: 'secret', new_string: 'open' });
  expect(await readFile(at(`${NARROW}/Resume\u0301.txt`), 'utf8')).toBe('open word\n');
  expect(await readdir(bench.root)).toEqual([NARROW]);
});

it('names all with escapes when there are several, and reads the one that is named so', async () => {
  await writeFile(at('a\u00a0b.txt'), 'one');
  await writeFile(at('a\u3000b.txt'), 'two');
  const { ok, content } = await bench.call(readFileTool, { path: 'a b.txt' });
  expect(ok).toBe(false);
  expect(content).toContain('"a\\u00a0b.txt", "a\\u3000b.txt"');
  expect((await bench.call(readFileTool, { path: 'a\u3000b.txt' })).content).toContain('two');
});

it('prefers the exact name, and tells odd names in a list', async () => {
  await writeFile(at('a b.txt'), 'plain');
  await writeFile(at('a\u00a0b.txt'), 'odd');
  const { content } = await bench.call(readFileTool, { path: 'a b.txt' });
  expect(content).toMatch(/^a b\.txt, lines/);
  const list = (await bench.call(listDirTool, {})).content;
  expect(list).toContain('  a b.txt');
  expect(list).toContain('"a\\u00a0b.txt"');
});

it.each([
  [writeFileTool, { path: 'a b.txt', content: 'new' }],
  [fileWriteTool, { path: 'a b.txt', content: 'new', mode: 'append' }],
  [fileMkdirTool, { path: 'a b.txt' }],
])('$name makes the new name, and says what it looks like', async (tool, args) => {
  await writeFile(at('a\u00a0b.txt'), 'old');
  const { ok, content } = await bench.call(tool as typeof writeFileTool, args as { path: string; content: string });
  expect(ok).toBe(true);
  expect(content).toContain('"a b.txt" is new: it only looks like "a\\u00a0b.txt", which was not changed.');
  expect(await readFile(at('a\u00a0b.txt'), 'utf8')).toBe('old');
  expect(existsSync(at('a b.txt'))).toBe(true);
});

it('says that a new directory on the way looks like an existing one', async () => {
  const { content } = await bench.call(writeFileTool, { path: `${PLAIN}/new/x.txt`, content: '' });
  expect(content).toContain('"Shots 4.42 PM" is new: it only looks like "Shots 4.42\\u202fPM"');
});

it('tells file_exists apart from a name that looks the same', async () => {
  const { details, content } = await bench.call(fileExistsTool, { path: PLAIN });
  expect(details).toMatchObject({ exists: false });
  expect(content).toContain('\\u202f');
});

it('never reaches a key file by another name', async () => {
  await writeFile(at('.env\u200b'), 'A=1');
  await writeFile(at('.env'), 'A=2');
  for (const path of ['.\uff45nv', '.en\u200dv']) expect((await bench.call(readFileTool, { path })).content).not.toContain('A=');
});
