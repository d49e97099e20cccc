import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decideTimeZone } from '../../../config/time_zone/time_zone';

const NOW = Date.UTC(2026, 10, 28);

let home: string;
let made = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-zone-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** A machine with these files. `localtime` is a file of zoneinfo that holds this rule, or a link to a name. */
async function machine(files: { rule?: string; link?: string; written?: string }): Promise<string> {
  made += 1;
  const root = join(home, String(made));
  await mkdir(join(root, 'etc'), { recursive: true });
  const bytes = `TZif2\0\0\n${files.rule}\n`;
  if (files.link !== undefined) {
    const target = join(root, 'usr/share/zoneinfo', files.link);
    if (files.rule !== undefined) {
      await mkdir(join(target, '..'), { recursive: true });
      await writeFile(target, bytes);
    }
    await symlink(target, join(root, 'etc/localtime'));
  } else if (files.rule !== undefined) {
    await writeFile(join(root, 'etc/localtime'), bytes);
  }
  if (files.written !== undefined) await writeFile(join(root, 'etc/timezone'), `${files.written}\n`);
  return root;
}

const decide = (root: string, TZ?: string, intlZone?: string) => decideTimeZone({ TZ, now: NOW, intlZone, offsetAt: () => 0, root });

describe('TZ', () => {
  it.each([
    ['Asia/Shanghai', 'Asia/Shanghai'],
    [':Asia/Shanghai', 'Asia/Shanghai'],
    ['asia/shanghai', 'Asia/Shanghai'],
    ['"Europe/Berlin"\r', 'Europe/Berlin'],
    ['posix/Europe/Berlin', 'Europe/Berlin'],
    [':/usr/share/zoneinfo/right/Europe/Berlin', 'Europe/Berlin'],
    ['Etc/GMT-8', 'Etc/GMT-8'],
    ['UTC', 'UTC'],
    ['GMT0', 'UTC'],
  ])('%s is a name: %s', async (TZ, timeZone) => {
    expect(decide(await machine({}), TZ)).toEqual({ timeZone });
  });

  it.each([
    ['UTC+8', 'Etc/GMT+8', 'UTC-08:00'],
    ['GMT-3', 'Etc/GMT-3', 'UTC+03:00'],
    ['CST-8', 'Etc/GMT-8', 'UTC+08:00'],
    ['<+08>-8', 'Etc/GMT-8', 'UTC+08:00'],
    ['UTC+08:00', 'Etc/GMT+8', 'UTC-08:00'],
    ['IST-5:30', '+05:30', 'UTC+05:30'],
    ['+08:00', 'Etc/GMT-8', 'UTC+08:00'],
    ['+08', 'Etc/GMT-8', 'UTC+08:00'],
    ['EST5EDT4,M3.2.0,M11.1.0', 'America/New_York', 'UTC-05:00'],
    ['CET-1CEST,M3.5.0,M10.5.0/3', 'Europe/Brussels', 'UTC+01:00'],
    ['NZST-12NZDT,M9.5.0,M4.1.0/3', 'Pacific/Auckland', 'UTC+13:00'],
    ['PST8PDT7', 'America/Los_Angeles', 'UTC-08:00'],
  ])('%s is a rule with the signs of POSIX: %s', async (TZ, timeZone, offset) => {
    const decision = decide(await machine({}), TZ);
    expect(decision.timeZone).toBe(timeZone);
    expect(decision.warning).toContain(`TZ=${TZ} is no name of a time zone`);
    expect(decision.warning).toContain(offset);
  });

  it.each([
    '',
    ' ',
    'Asia/Beijing',
    'Etc/Unknown',
    'CST',
    'JST',
    'Local',
    'GMT+0530',
    'UTC+99',
    'EST5EDT,J60,J300',
    '/etc/passwd',
    ':/nowhere',
  ])('%j is no zone: UTC, and a warning that names TZ', async TZ => {
    const { timeZone, warning } = decide(await machine({ link: 'Asia/Tokyo' }), TZ, 'America/Chicago');
    expect(timeZone).toBe('UTC');
    expect(warning).toMatch(/^TZ.*the gateway uses UTC.*|^TZ.*so it uses UTC\. Set TZ to a name such as Asia\/Shanghai\.$/);
  });

  it.each([':/etc/localtime', '/etc/localtime', 'localtime'])('%s leads to the zone of the machine', async TZ => {
    expect(decide(await machine({ link: 'Asia/Tokyo' }), TZ)).toEqual({ timeZone: 'Asia/Tokyo' });
  });
});

describe('without TZ', () => {
  it.each([
    ['a link, without zoneinfo', { link: 'Asia/Tokyo', written: 'Etc/UTC' }, 'Asia/Tokyo'],
    ['a link to a file that agrees', { link: 'Europe/Paris', rule: 'CET-1CEST,M3.5.0,M10.5.0/3' }, 'Europe/Paris'],
    ['a file, with its name in /etc/timezone', { rule: 'CST-8', written: 'Asia/Taipei' }, 'Asia/Taipei'],
    ['no file, but a name in /etc/timezone', { written: 'Asia/Tokyo' }, 'Asia/Tokyo'],
  ])('takes %s', async (_, files, timeZone) => {
    expect(decide(await machine(files))).toEqual({ timeZone });
  });

  it('takes the name of Intl for a mounted file whose rule fits it, not the name of the image', async () => {
    const root = await machine({ rule: 'CST-8', written: 'Etc/UTC' });
    expect(decide(root, undefined, 'Asia/Shanghai')).toEqual({ timeZone: 'Asia/Shanghai' });
  });

  it('finds the name of a file that covers the one to which the link leads by its bytes', async () => {
    const root = await machine({ link: 'Etc/UTC', rule: 'JST-9' });
    await mkdir(join(root, 'usr/share/zoneinfo/Asia'));
    await copyFile(join(root, 'etc/localtime'), join(root, 'usr/share/zoneinfo/Asia/Tokyo'));
    expect(decide(root, undefined, 'UTC')).toEqual({ timeZone: 'Asia/Tokyo' });
  });

  it('takes a fixed zone with a warning for a mounted file without a name, whatever Intl guessed', async () => {
    const decision = decide(await machine({ rule: 'CST-8' }), undefined, 'America/Chicago');
    expect(decision).toEqual({ timeZone: 'Etc/GMT-8', warning: expect.stringContaining('/etc/localtime has no name; its rule CST-8') });
  });

  it('takes UTC when the machine says nothing, with a warning', async () => {
    expect(decide(await machine({}), undefined, 'UTC')).toEqual({ timeZone: 'UTC' });
    expect(decide(await machine({}))).toEqual({ timeZone: 'UTC', warning: expect.stringContaining('Set TZ to') });
  });
});
