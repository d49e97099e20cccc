import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSkillFiles, type SkillDirectories } from '../../../../src/adapter/local/skills/skill_files';
import type { AgentSkillPlace } from '../../../../src/port/skill_files';
import { inBoth } from '../../../../src/utils/bilingual';
import { skillText, writeSkillFiles } from '../../../support/skill_folders';

let home: string;
let directories: SkillDirectories;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-skills-'));
  directories = { config: join(home, 'config/skills'), data: join(home, 'data/skills') };
  await mkdir(join(home, 'config'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const place = (name: string, tenantId = 'default'): AgentSkillPlace => ({ source: 'agent', tenantId, name });
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

describe('skill folders on disk', () => {
  it('of the operator and of each tenant are read in name order, without hidden and loose files', async () => {
    await writeSkillFiles(directories.config, {
      'b/SKILL.md': skillText('b'),
      'a/skill.md': skillText('a'),
      'a/.git/config': 'x',
      'README.md': 'no skill',
      '.hidden/SKILL.md': 'x',
    });
    await writeSkillFiles(directories.data, { 'left/c/SKILL.md': skillText('c'), 'right/c/SKILL.md': skillText('c') });
    const folders = await (await openSkillFiles(directories)).readFolders();
    expect(folders.map(folder => [folder.place, folder.files, text(folder.document)])).toEqual([
      [{ source: 'config', name: 'a' }, ['skill.md'], skillText('a')],
      [{ source: 'config', name: 'b' }, ['SKILL.md'], skillText('b')],
      [place('c', 'left'), ['SKILL.md'], skillText('c')],
      [place('c', 'right'), ['SKILL.md'], skillText('c')],
    ]);
  });

  it('beyond 500 are left out, and the first of them says so', async () => {
    for (let i = 100; i < 603; i += 1) await mkdir(join(directories.config, `s${i}`), { recursive: true });
    const folders = await (await openSkillFiles(directories)).readFolders();
    expect([folders.length, folders.at(-1)?.problems.map(({ en }) => en)]).toEqual([
      501,
      ['s600: at most 500 folders are read; this one and 2 more are left out.'],
    ]);
  });

  it('appear whole and disappear whole, and a crash leaves no rest', async () => {
    const files = await openSkillFiles(directories);
    await files.writeFile(place('tea'), 'SKILL.md', Buffer.from(skillText('tea')));
    await files.writeFile(place('tea'), 'SKILL.md', Buffer.from(skillText('tea', 'Again.')));
    expect(text(await files.readFile(place('tea'), 'SKILL.md', { maxBytes: 1_000 }))).toBe(skillText('tea', 'Again.'));
    expect([await files.removeFolder(place('tea')), await files.removeFolder(place('tea'))]).toEqual([true, false]);
    const tenant = join(directories.data, 'default');
    expect(await readdir(tenant)).toEqual([]);
    await writeSkillFiles(tenant, { '.new-1/SKILL.md': 'x', '.removed-2/SKILL.md': 'x', 'kept/SKILL.md': skillText('kept') });
    const folders = await (await openSkillFiles(directories)).readFolders();
    expect([folders.map(folder => folder.place.name), await readdir(tenant)]).toEqual([['kept'], ['kept']]);
  });

  it('keep the switches of a tenant, and a damaged file turns nothing off', async () => {
    const files = await openSkillFiles(directories);
    await files.writeDisabledNames('default', ['a', 'b']);
    expect([...(await files.readDisabledNames())]).toEqual([['default', ['a', 'b']]]);
    await writeFile(join(directories.data, 'default/.disabled.json'), '{"a":');
    expect([...(await files.readDisabledNames())]).toEqual([['default', []]]);
  });

  it.each(['../other/SKILL.md', '/etc/passwd', 'a/../../other/SKILL.md', '', '.', 'a//b', 'a\\..\\b', 'SKILL.md\0.txt'])(
    'give no file for the path %j',
    async path => {
      await writeSkillFiles(directories.data, { 'default/mine/SKILL.md': 'x', 'default/other/SKILL.md': 'the-other' });
      const files = await openSkillFiles(directories);
      await expect(files.readFile(place('mine'), path, { maxBytes: 1_000 })).rejects.toMatchObject({ code: 'outside' });
      await expect(files.writeFile(place('mine'), path, Buffer.from('x'))).rejects.toMatchObject({ code: 'outside' });
    },
  );

  it('follow links inside the skill and none out of it, give no hidden file, and never wait for a pipe', async () => {
    await writeSkillFiles(directories.config, { 'a/SKILL.md': skillText('a'), 'a/real/one.md': 'one', 'b/SKILL.md': 'the-other' });
    await writeSkillFiles(directories.config, { 'a/.env': 'KEY=secret', 'a/.git/config': 'secret' });
    await symlink('real/one.md', join(directories.config, 'a/inner.md'));
    await symlink('../b/SKILL.md', join(directories.config, 'a/outer.md'));
    await symlink('.', join(directories.config, 'a/loop'));
    execFileSync('mkfifo', [join(directories.config, 'a/pipe')]);
    const files = await openSkillFiles(directories);
    const a = { source: 'config', name: 'a' } as const;
    expect((await files.readFolders())[0]).toMatchObject({
      files: ['SKILL.md', 'inner.md', 'real/one.md'],
      problems: expect.arrayContaining([
        expect.objectContaining({ en: 'outer.md: is a symbolic link that leads out of the skill.' }),
        inBoth('pipe: is not a regular file.', 'pipe：不是普通文件。'),
      ]),
    });
    expect(text(await files.readFile(a, 'inner.md', { maxBytes: 10 }))).toBe('one');
    await expect(files.readFile(a, 'outer.md', { maxBytes: 1_000 })).rejects.toMatchObject({ code: 'outside' });
    await expect(files.readFile(a, 'pipe', { maxBytes: 1_000 })).rejects.toMatchObject({ code: 'not_found' });
    for (const hidden of ['.env', '.git/config'])
      await expect(files.readFile(a, hidden, { maxBytes: 1_000 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(files.readFile(a, 'real/one.md', { maxBytes: 2 })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('are not read again while the times of their directories and SKILL.md stay', async () => {
    await writeSkillFiles(directories.config, { 'a/SKILL.md': skillText('a', 'One.'), 'a/references/one.md': 'one' });
    const [folder, document] = [join(directories.config, 'a'), join(directories.config, 'a/SKILL.md')];
    await symlink('a', join(directories.config, 'b'));
    const files = await openSkillFiles(directories, () => Date.now() + 60_000);
    let known = new Set<string>();
    const changedAfter = async (change: () => Promise<void>) => {
      await change();
      const folders = await files.readFolders(known);
      known = new Set(folders.map(({ version }) => version));
      return folders.map(read => [text(read.document), read.files.length]);
    };
    const [one, two] = [skillText('a', 'One.'), skillText('a', 'Two.')];
    const unchanged = (count: number) => [
      [undefined, count],
      [undefined, count],
    ];
    const changed = (content: string, count: number) => [
      [content, count],
      [content, count],
    ];
    expect(await changedAfter(async () => {})).toEqual(changed(one, 2));
    expect(await changedAfter(async () => {})).toEqual(unchanged(2));
    // In place, with as many bytes and the old time.
    const { atime, mtime } = await stat(document);
    expect(await changedAfter(() => writeFile(document, two).then(() => utimes(document, atime, mtime)))).toEqual(changed(two, 2));
    expect(await changedAfter(() => writeFile(join(folder, 'references/two.md'), ''))).toEqual(changed(two, 3));
    expect(await changedAfter(() => rm(join(folder, 'references'), { recursive: true }))).toEqual(changed(two, 1));
    expect(await changedAfter(async () => {})).toEqual(unchanged(1));
    expect(known.size).toBe(2);
  });

  it('are read again for two seconds after a change, as some file systems keep whole seconds', async () => {
    await writeSkillFiles(directories.config, { 'a/SKILL.md': skillText('a') });
    let now = Date.now();
    const files = await openSkillFiles(directories, () => now);
    const read = async (known: readonly string[]) => (await files.readFolders(new Set(known)))[0];
    const first = await read([]);
    const second = await read([first?.version ?? '']);
    now += 10_000;
    const third = await read([second?.version ?? '']);
    const fourth = await read([third?.version ?? '']);
    expect([first, second, third, fourth].map(folder => text(folder?.document) !== undefined)).toEqual([true, true, true, false]);
  });

  it('write no file through a link that leads out', async () => {
    await mkdir(join(home, 'elsewhere'));
    await writeSkillFiles(directories.data, { 'default/a/SKILL.md': 'x' });
    await symlink(join(home, 'elsewhere'), join(directories.data, 'default/a/references'));
    const files = await openSkillFiles(directories);
    await expect(files.writeFile(place('a'), 'references/x.md', Buffer.from('x'))).rejects.toMatchObject({ code: 'outside' });
    expect(existsSync(join(home, 'elsewhere/x.md'))).toBe(false);
  });
});
