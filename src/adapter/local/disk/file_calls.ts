/** File system calls on descriptors, in the thread pool or on the calling thread. */
import fs, { type Stats } from 'node:fs';
import { promisify } from 'node:util';

/** Methods reject with the errors of node:fs. */
export interface FileCalls {
  open(path: string, flags: number): Promise<number>;
  stat(descriptor: number): Promise<Stats>;
  lstat(path: string): Promise<Stats>;
  readdir(path: string): Promise<string[]>;
  /** Fills the buffer from `at` with the bytes of the file from `at`. Resolves with the number of bytes; 0 at the end of the file. */
  read(descriptor: number, buffer: Buffer, at: number): Promise<number>;
  close(descriptor: number): Promise<void>;
}

const read = promisify(fs.read);

/** Runs in the thread pool: a slow disk does not hold the event loop. Each call takes about 20 µs of CPU time. */
export const pooledCalls: FileCalls = {
  open: promisify(fs.open),
  stat: promisify(fs.fstat),
  lstat: promisify(fs.lstat),
  readdir: promisify(fs.readdir),
  read: async (descriptor, buffer, at) => (await read(descriptor, buffer, at, buffer.length - at, at)).bytesRead,
  close: promisify(fs.close),
};

/** Blocks the calling thread. Each call takes 1 to 4 µs when the kernel has the data in memory. */
export const directCalls: FileCalls = {
  open: async (path, flags) => fs.openSync(path, flags),
  stat: async descriptor => fs.fstatSync(descriptor),
  lstat: async path => fs.lstatSync(path),
  readdir: async path => fs.readdirSync(path),
  read: async (descriptor, buffer, at) => fs.readSync(descriptor, buffer, at, buffer.length - at, at),
  close: async descriptor => fs.closeSync(descriptor),
};
