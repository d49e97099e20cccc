import { lockedOptions, mountOf, mountsBelow, parseMounts, tableLine } from '../../../../src/adapter/local/disk/mount_table';

const MOUNTS = parseMounts(
  [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
    '28 27 0:25 / /home rw,nosuid,noexec shared:2 master:1 - ext4 /dev/vdb rw',
    '29 28 0:26 / /home/a\\040b ro - tmpfs tmpfs ro',
    '30 28 0:27 / /home/c ro - tmpfs tmpfs ro',
    '31 28 0:28 / /home/c rw - tmpfs tmpfs rw',
    '',
  ].join('\n'),
);

it('keeps the locked options of the mount that holds the source, the topmost one', () => {
  expect(lockedOptions(MOUNTS, '/usr/bin')).toEqual([]);
  expect(lockedOptions(MOUNTS, '/homes')).toEqual([]);
  expect(lockedOptions(MOUNTS, '/home/x')).toEqual(['noexec']);
  expect(lockedOptions(MOUNTS, '/home/a b/c')).toEqual(['ro']);
  expect(lockedOptions(MOUNTS, '/home/c')).toEqual([]);
});

it('finds the mount that holds a path, with its file system type', () => {
  expect(mountOf(MOUNTS, '/usr/bin')).toEqual({ path: '/', type: 'ext4', options: ['rw', 'relatime'] });
  expect(mountOf(MOUNTS, '/home/x')?.type).toBe('ext4');
  expect(mountOf(MOUNTS, '/home/a b')?.type).toBe('tmpfs');
  expect(mountOf([], '/usr')).toBeUndefined();
});

it('finds the mounts below a directory, without excepted ones', () => {
  expect(mountsBelow(MOUNTS, '/home', [])).toEqual(['/home/a b', '/home/c', '/home/c']);
  expect(mountsBelow(MOUNTS, '/home', ['/home/c'])).toEqual(['/home/a b']);
});

it('escapes any path in one line of a table', () => {
  const source = '/work space/tab\there\nnew\\line 灯';
  expect(tableLine({ source, target: '/t', options: ['bind', 'ro', 'ro'] })).toBe(
    '/work\\040space/tab\\011here\\012new\\134line\\040灯 /t none bind,ro',
  );
});
