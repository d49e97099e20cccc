import fs from 'node:fs';
import { DiskCalls } from '../../../../src/adapter/local/disk/disk_calls';
import { directCalls, pooledCalls } from '../../../../src/adapter/local/disk/file_calls';

const ROOT_MOUNT = '27 1 254:0 / / rw - ext4 /dev/vda rw';
const mounted = (...lines: string[]) => jest.spyOn(fs, 'readFileSync').mockReturnValue([ROOT_MOUNT, ...lines, ''].join('\n'));
const quickOf = (root: string, mayBlock = false) => new DiskCalls(root, mayBlock).quick;

afterEach(() => jest.restoreAllMocks());

it('blocks the calling thread for files of a local disk only', () => {
  mounted('28 27 0:25 / /net rw - nfs4 server:/a rw', '29 27 0:26 / /home rw - fuse.sshfs a rw');
  expect(quickOf('/srv/work')).toBe(directCalls);
  expect(quickOf('/net/work')).toBe(pooledCalls);
  expect(quickOf('/home')).toBe(pooledCalls);
  expect(new DiskCalls('/srv/work', false).isLocal).toBe(true);
  expect(new DiskCalls('/net/work', false).isLocal).toBe(false);
});

it('uses the thread pool when something is mounted below the root', () => {
  mounted('28 27 0:25 / /srv/work/shared rw - nfs4 server:/a rw', '29 27 0:26 / /srv/work2 rw - nfs4 server:/b rw');
  expect(quickOf('/srv/work')).toBe(pooledCalls);
  expect(quickOf('/')).toBe(pooledCalls);
  expect(quickOf('/srv/work/other')).toBe(directCalls);
});

it('notices a disk that is mounted later', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  mounted();
  const calls = new DiskCalls('/srv/work', false);
  expect(calls.quick).toBe(directCalls);
  mounted('28 27 0:25 / /srv/work/shared rw - nfs4 server:/a rw');
  now.mockReturnValue(5_001);
  expect(calls.quick).toBe(pooledCalls);
});

it('uses the thread pool where mounts cannot be read', () => {
  jest.spyOn(fs, 'readFileSync').mockImplementation(() => {
    throw new Error('no /proc');
  });
  expect(quickOf('/srv/work')).toBe(pooledCalls);
});

it('follows paths in the thread pool, and blocks a worker thread for everything', () => {
  mounted('28 27 0:25 / /net rw - nfs4 server:/a rw');
  expect(new DiskCalls('/srv/work', false).slow).toBe(pooledCalls);
  expect(new DiskCalls('/net/work', true).slow).toBe(directCalls);
  expect(quickOf('/net/work', true)).toBe(directCalls);
});
