/** The program of the manifest file_operator, run as the gateway runs it: one request on stdin, one answer on stdout. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { docxParts, makeDocx, makeXlsx, zip } from '../../support/office_files';
import { makePdf } from '../../support/site';

const PROGRAM = join(__dirname, '../../../config/tools/file_operator/main.mjs');

let home: string;
let workspace: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-operator-'));
  workspace = join(home, 'workspace');
  await mkdir(join(workspace, 'deep/er'), { recursive: true });
  await mkdir(join(home, 'outside'));
  await writeFile(join(home, 'outside/secret.txt'), 'secret');
  await writeFile(join(workspace, 'a.txt'), 'alpha\n');
});
afterAll(() => rm(home, { recursive: true, force: true }));

interface Answer {
  id: string;
  status: 'success' | 'error';
  result: Record<string, unknown>;
  error?: string;
  message?: string;
  base64?: string;
}

interface Extras {
  settings?: Record<string, unknown>;
  context?: Record<string, unknown>;
}

async function call(command: string, parameters: Record<string, unknown>, extras: Extras = {}): Promise<Answer> {
  const child = spawn(process.execPath, [PROGRAM], { cwd: workspace, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${JSON.stringify({ id: 'c1', tool: 'file_operator', command, parameters, ...extras })}\n`);
  const lines = (await text(child.stdout)).trim().split('\n');
  expect(lines).toHaveLength(1);
  const answer: Answer = JSON.parse(lines[0] ?? '');
  expect(answer.id).toBe('c1');
  return answer;
}

async function read(name: string, content: Buffer | string, more: Record<string, unknown> = {}, extras: Extras = {}): Promise<Answer> {
  await writeFile(join(workspace, name), content);
  return call('read_file', { filePath: name, ...more }, extras);
}

describe('read_file understands documents (jarvis.file_operator)', () => {
  it.each([
    ['a PDF', 'a.pdf', makePdf('Lighthouse tariff 1887'), { format: 'pdf', pages: 1, content: expect.stringContaining('tariff 1887') }],
    ['a DOCX', 'a.docx', makeDocx(['Winter plan', '播种计划']), { format: 'docx', content: 'Winter plan\n\n播种计划' }],
    [
      'an XLSX',
      'a.xlsx',
      makeXlsx('Beds', [
        ['bed', 'area'],
        ['豌豆', 4.5],
      ]),
      { format: 'xlsx', content: '## Beds\n\nbed\tarea\n豌豆\t4.5', sheets: [{ name: 'Beds', rows: 2, columns: 2 }] },
    ],
    ['a PDF with another name', 'report.txt', makePdf('Renamed'), { format: 'pdf', content: expect.stringContaining('Renamed') }],
  ])('%s', async (_what, name, content, result) => {
    expect(await read(name, content)).toMatchObject({ status: 'success', result });
  });

  it('text in the encoding that is named', async () => {
    const bytes = Buffer.from([0xb2, 0xe2, 0xca, 0xd4]);
    expect(await read('gb.txt', bytes, { encoding: 'gb18030' })).toMatchObject({ result: { content: '测试', encoding: 'gb18030' } });
    expect(await read('gb.txt', bytes)).toMatchObject({ status: 'error', error: expect.stringMatching(/not UTF-8.*gb18030/) });
    expect(await read('gb.txt', bytes, { encoding: 'klingon' })).toMatchObject({ error: expect.stringMatching(/^encoding: klingon/) });
    expect(await read('le.txt', Buffer.from('\ufeff好', 'utf16le'))).toMatchObject({ result: { content: '好' } });
  });

  it('bytes as base64', async () => {
    const bytes = Buffer.from([0, 1, 255]);
    expect(await read('raw.bin', bytes, { encoding: 'base64' })).toMatchObject({ status: 'success', base64: bytes.toString('base64') });
    expect(await read('raw.bin', bytes)).toMatchObject({ status: 'error', error: expect.stringContaining('base64') });
  });

  it('a long text in parts', async () => {
    const first = await read('long.txt', '界'.repeat(150_000));
    expect(first.result).toMatchObject({ truncated: true, nextOffset: 100_000, characters: 150_000 });
    expect(first.message).toContain('offset=100000');
    const rest = await call('read_file', { filePath: 'long.txt', offset: 100_000 });
    expect(rest.result).toMatchObject({ truncated: false, content: '界'.repeat(50_000) });
  });
});

describe('read_file survives hostile documents (jarvis.file_operator)', () => {
  const bomb = { name: 'word/document.xml', content: Buffer.alloc(150 * 1024 * 1024, 0x20) };
  const large = { name: 'word/document.xml', content: Buffer.alloc(9 * 1024 * 1024, 0x20) };
  const nested = `<w:document>${'<w:p>'.repeat(400_000)}</w:document>`;
  it.each([
    ['a ZIP bomb', () => zip([bomb]), /too much time or memory/],
    ['a ZIP bomb that lies about its size', () => zip([{ ...bomb, statedSize: 100 }]), /too much time or memory/],
    ['a ZIP bomb of overlapping parts', () => zip([large], 100), /too much time or memory/],
    ['an archive with 10,000 parts', () => zip([{ name: 'word/document.xml', content: 'x' }], 10_000), /too much time or memory/],
    ['a truncated archive', () => makeDocx(['x']).subarray(0, -30), /damaged/],
    ['an archive that is no document', () => zip([{ name: 'word/document.xml', content: 'no XML' }]), /damaged/],
    ['an encrypted archive', () => zip(docxParts(['x']).map(part => ({ ...part, flags: 1 }))), /password/],
    ['deeply nested XML', () => zip([...docxParts([]).slice(0, 2), { name: 'word/document.xml', content: nested }]), /damaged|too much/],
    ['a PDF that is none', () => Buffer.from('%PDF-1.4 and then nothing of the kind'), /damaged/],
    ['an old Office file', () => Buffer.from('d0cf11e0a1b11ae100000000', 'hex'), /old format/],
  ])('%s', async (_what, make, message) => {
    expect(await read('hostile.docx', make())).toMatchObject({ status: 'error', error: expect.stringMatching(message) });
  });

  it('a file over the limit', async () => {
    const settings = { max_file_size: 10 };
    expect(await read('big.txt', 'x'.repeat(11), {}, { settings })).toMatchObject({
      error: expect.stringMatching(/11 bytes.*max_file_size/),
    });
    expect(await read('big.txt', 'x'.repeat(10), {}, { settings })).toMatchObject({ status: 'success' });
  });
});

describe('write_file never overwrites (jarvis.file_operator)', () => {
  it('and chooses a free name instead', async () => {
    const names = [];
    for (const content of ['one', 'two', 'three']) {
      const { result } = await call('write_file', { filePath: 'out/report.txt', content });
      names.push(result['path']);
    }
    expect(names).toEqual(['out/report.txt', 'out/report_1.txt', 'out/report_2.txt']);
    expect(await readFile(join(workspace, 'out/report.txt'), 'utf8')).toBe('one');
    expect(await readFile(join(workspace, 'out/report_2.txt'), 'utf8')).toBe('three');
  });

  it('not even when many calls write at once', async () => {
    const calls = Array.from({ length: 8 }, (_, i) => call('write_file', { filePath: 'race/same.md', content: `text ${i}` }));
    const paths = (await Promise.all(calls)).map(({ result }) => result['path']);
    expect(new Set(paths).size).toBe(8);
    expect(await readdir(join(workspace, 'race'))).toHaveLength(8);
  });

  it('not through a symlink that leads to nothing', async () => {
    await symlink(join(home, 'outside/new.txt'), join(workspace, 'dangling.txt'));
    expect(await call('write_file', { filePath: 'dangling.txt', content: 'x' })).toMatchObject({ result: { path: 'dangling_1.txt' } });
    expect(await readdir(join(home, 'outside'))).toEqual(['secret.txt']);
  });
});

describe('only the allowed directories can be reached (jarvis.file_operator)', () => {
  beforeAll(async () => {
    await symlink(join(home, 'outside'), join(workspace, 'link'));
    await symlink(join(home, 'outside/secret.txt'), join(workspace, 'link.txt'));
    await symlink(join(home, 'outside/nothing.txt'), join(workspace, 'nothing.txt'));
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    await writeFile(join(workspace, '.env'), 'KEY=1');
  });

  it.each([
    ['read_file', { filePath: '../outside/secret.txt' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: '/etc/passwd' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: '/no/such/file' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: 'link.txt' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: 'link/secret.txt' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: 'link/missing.txt' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: 'nothing.txt' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: 'deep/missing/missing.txt' }, /^filePath: .*does not exist/],
    ['read_file', { filePath: '/proc/self/environ' }, /^filePath: .*not in an allowed directory/],
    ['read_file', { filePath: 'pipe' }, /^filePath: .*not a regular file/],
    ['read_file', { filePath: '.env' }, /^filePath: .*keys or passwords/],
    ['read_file', { filePath: 'missing.txt' }, /^filePath: missing.txt does not exist/],
    ['read_file', { filePath: 'a.txt\u0000.pdf' }, /^filePath: is no path/],
    ['write_file', { filePath: 'link/new.txt', content: 'x' }, /^filePath: .*not in an allowed directory/],
    ['write_file', { filePath: '../new.txt', content: 'x' }, /^filePath: .*not in an allowed directory/],
    ['write_file', { filePath: '.git/hooks/pre-commit', content: 'x' }, /^filePath: .*controls git/],
    ['write_file', { filePath: 'a.txt/b.txt', content: 'x' }, /^filePath: a.txt.b.txt leads through something that is not a directory/],
    ['list_directory', { directoryPath: 'link' }, /^directoryPath: .*not in an allowed directory/],
    ['list_directory', { directoryPath: 'a.txt' }, /^directoryPath: .*not a directory/],
    ['search_files', { searchPath: '..', pattern: '*' }, /^searchPath: .*not in an allowed directory/],
    ['format_disk', {}, /^command: /],
  ])('%s %j is refused', async (command, parameters, message) => {
    const answer = await call(command, parameters);
    expect(answer).toMatchObject({ status: 'error', error: expect.stringMatching(message) });
    expect(JSON.stringify(answer)).not.toContain('"secret"');
  });

  it('the operator can allow others, and key files', async () => {
    const settings = { allowed_directories: `${workspace}, ${join(home, 'outside')}`, allow_key_files: true };
    const path = join(home, 'outside/secret.txt');
    expect(await call('read_file', { filePath: path }, { settings })).toMatchObject({ result: { path, content: 'secret' } });
    expect(await call('read_file', { filePath: '.env' }, { settings })).toMatchObject({ result: { content: 'KEY=1' } });
    expect(await call('read_file', { filePath: 'a.txt' }, { settings: { allowed_directories: join(home, 'gone') } })).toMatchObject({
      error: expect.stringMatching(/allowed_directories/),
    });
  });

  it('errors are in the language of the call', async () => {
    const answer = await call('read_file', { filePath: 'missing.txt' }, { context: { locale: 'zh-CN' } });
    expect(answer.error).toBe('filePath：missing.txt 不存在。');
  });
});

describe('directories (jarvis.file_operator)', () => {
  it('list_directory shows hidden entries only when asked', async () => {
    await mkdir(join(workspace, 'listed/inner'), { recursive: true });
    await writeFile(join(workspace, 'listed/b.txt'), 'bb');
    await writeFile(join(workspace, 'listed/.hidden'), '');
    const names = async (parameters: Record<string, unknown>) => {
      const { result } = await call('list_directory', { directoryPath: 'listed', ...parameters });
      return (result['entries'] as { name: string; type: string; size?: number }[]).map(({ name, type, size }) => [name, type, size]);
    };
    expect(await names({})).toEqual([
      ['b.txt', 'file', 2],
      ['inner', 'directory', undefined],
    ]);
    expect(await names({ showHidden: true })).toHaveLength(3);
  });

  it('search_files finds names and paths', async () => {
    await mkdir(join(workspace, 'found/x/y'), { recursive: true });
    for (const path of ['Plan.MD', 'x/plan.md', 'x/y/plan.txt']) await writeFile(join(workspace, 'found', path), '');
    const paths = async (pattern: string) => {
      const { result } = await call('search_files', { searchPath: 'found', pattern });
      return (result['files'] as { path: string }[]).map(({ path }) => path);
    };
    expect(await paths('*.md')).toEqual(['found/Plan.MD', 'found/x/plan.md']);
    expect(await paths('x/**/*.txt')).toEqual(['found/x/y/plan.txt']);
    expect(await paths('x/*.txt')).toEqual([]);
    expect(await paths(`${'*a'.repeat(90)}b`)).toEqual([]);
  });
});
