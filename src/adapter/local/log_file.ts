/** A log file that is rotated by size: the newest lines are in `<name>`, older ones in `<name>.1`, `<name>.2` ... */
import { basename, dirname } from 'node:path';
import { createStream } from 'rotating-file-stream';
import type { LogFile } from './logger';

export interface LogFileOptions {
  /** Absolute. Its directory is created. */
  path: string;
  /** MiB of one file. */
  maxMiB: number;
  /** Files beside the newest one. */
  maxFiles: number;
}

/** Lines that the disk does not take in time are dropped beyond this size, so that a full disk does not fill the memory. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** `onProblem` is called once, with a sentence, when the file cannot be written. */
export function openLogFile({ path, maxMiB, maxFiles }: LogFileOptions, onProblem: (sentence: string) => void): LogFile {
  const stream = createStream(basename(path), { path: dirname(path), size: `${maxMiB}M`, rotate: maxFiles });
  let isBroken = false;
  stream.on('error', error => {
    if (!isBroken) onProblem(`the log file ${path} cannot be written: ${error.message}`);
    isBroken = true;
  });
  return {
    write(line) {
      if (!isBroken && stream.writableLength < MAX_WAITING_BYTES) stream.write(`${line}\n`);
    },
  };
}
