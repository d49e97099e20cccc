/** Chooses where file system calls run. A call to a network disk can block the event loop for as long as its server is away. */
import { readFileSync } from 'node:fs';
import { directCalls, type FileCalls, pooledCalls } from './file_calls';
import { mountOf, parseMounts } from './mount_table';
import { isInside } from './safe_path';

const LOCAL_TYPES: ReadonlySet<string> = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'overlay', 'tmpfs']);
/** A disk that is mounted below the root is noticed after this time. */
const RECHECK_MS = 5_000;

/** File system calls for the files below one directory. */
export class DiskCalls {
  private checkedAt = -Infinity;
  private wasLocal = false;

  /** `root`: absolute, symlinks resolved. `mayBlock`: the calling thread may wait for any disk. */
  constructor(
    private readonly root: string,
    private readonly mayBlock: boolean,
  ) {}

  /** Use these to follow a path or to read much: such calls can wait for a disk, through a symlink also for one outside the root. */
  get slow(): FileCalls {
    return this.mayBlock ? directCalls : pooledCalls;
  }

  /** Use these on a file below the root whose path was just walked: the kernel has its inode in memory. */
  get quick(): FileCalls {
    return this.mayBlock || this.isLocal ? directCalls : pooledCalls;
  }

  /** True when everything below the root is on a local disk; targets of symlinks do not count. */
  get isLocal(): boolean {
    const now = performance.now();
    if (now - this.checkedAt > RECHECK_MS) {
      this.wasLocal = isOnLocalDisk(this.root);
      this.checkedAt = now;
    }
    return this.wasLocal;
  }
}

/** True when the directory has a local file system and nothing is mounted below it. Always false on systems without /proc. */
function isOnLocalDisk(directory: string): boolean {
  try {
    const mounts = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
    const hasMountBelow = mounts.some(({ path }) => path !== directory && isInside(directory, path));
    return !hasMountBelow && LOCAL_TYPES.has(mountOf(mounts, directory)?.type ?? '');
  } catch {
    return false;
  }
}
