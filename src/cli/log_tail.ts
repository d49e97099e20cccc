/** Reads the end of the gateway's log file. */
import { open } from 'node:fs/promises';

const MAX_BYTES = 1024 * 1024;
const MAX_LINES = 1_000;

/** Resolves with the last log lines, at most 1,000; '' when the file cannot be read. What is no line of the gateway is left out. */
export async function readLogTail(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(isLogLine).slice(-MAX_LINES);
    return lines.map(line => `${line}\n`).join('');
  } finally {
    await file.close();
  }
}

function isLogLine(line: string): boolean {
  try {
    const { time, level, msg } = JSON.parse(line);
    return [time, level, msg].every(field => typeof field === 'string');
  } catch {
    return false;
  }
}
