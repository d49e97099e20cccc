import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LogFileEvents, type LogFileOptions, openLogFile } from '../../../../src/adapter/local/log/log_file';
import type { LogFile } from '../../../../src/adapter/local/log/logger';

let home: string;
const opened: LogFile[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-log-'));
});
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close();
  await rm(home, { recursive: true, force: true });
});

function open(options: LogFileOptions, events: LogFileEvents): LogFile {
  const file = openLogFile(options, events);
  opened.push(file);
  return file;
}

it('rotates by size, keeps the newest lines in the file itself and deletes the oldest file', async () => {
  const problems: string[] = [];
  const told = (sentence: string) => void problems.push(sentence);
  const file = open({ path: join(home, 'logs/neta.log'), maxMiB: 1, maxFiles: 2 }, { onProblem: told, onRecovery: told });
  const line = 'x'.repeat(999);
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 1_100; i++) file.write(line);
    file.write(`round ${round}`);
    await within(async () => (await textIn()).includes(`round ${round}`));
  }
  expect((await readdir(join(home, 'logs'))).sort()).toEqual(['neta.log', 'neta.log.1', 'neta.log.2']);
  expect(await textIn('neta.log')).toContain('round 4');
  expect(problems).toEqual([]);
});

it('says once that the file cannot be written, and goes on', async () => {
  const problem = await new Promise<string>(resolve => {
    const file = open({ path: join(home, 'none\0'), maxMiB: 1, maxFiles: 1 }, { onProblem: resolve, onRecovery: () => {} });
    file.write('a line');
  });
  expect(problem).toMatch(/^the log file .* cannot be written: /);
});

it('tries again after a while, and says once that the file is written again', async () => {
  const path = join(home, 'neta.log');
  await mkdir(path);
  const told: string[] = [];
  const tell = (sentence: string) => void told.push(sentence);
  const file = open({ path, maxMiB: 1, maxFiles: 1, retryMs: 40 }, { onProblem: tell, onRecovery: tell });
  const writeUntil = (isTrue: () => Promise<boolean>) =>
    within(async () => {
      file.write('a line');
      return isTrue();
    });
  await writeUntil(async () => told.length > 0);
  // Further failures are not told.
  for (let tries = 0; tries < 3; tries++) {
    file.write('a lost line');
    await delay(50);
  }
  expect(told).toEqual([expect.stringMatching(/cannot be written/)]);
  await rm(path, { recursive: true });
  await writeUntil(async () => told.length > 1);
  file.write('the last line');
  await within(async () => (await readFile(path, 'utf8')).includes('the last line'));
  expect(told).toEqual([expect.stringMatching(/cannot be written/), expect.stringMatching(/is written again; it lacks \d+ lines$/)]);
});

it('has every line once it is closed, and takes none afterwards', async () => {
  const told: string[] = [];
  const tell = (sentence: string) => void told.push(sentence);
  const file = open({ path: join(home, 'neta.log'), maxMiB: 1, maxFiles: 1 }, { onProblem: tell, onRecovery: tell });
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`);
  for (const line of lines) file.write(line);
  await file.close();
  file.write('too late');
  await file.close();
  expect((await readFile(join(home, 'neta.log'), 'utf8')).trimEnd().split('\n')).toEqual(lines);
  expect(told).toEqual([]);
});

async function textIn(name?: string): Promise<string> {
  const names = name === undefined ? await readdir(join(home, 'logs')) : [name];
  return (await Promise.all(names.map(each => readFile(join(home, 'logs', each), 'utf8')))).join('');
}

async function within(isTrue: () => Promise<boolean>): Promise<void> {
  for (let left = 200; left > 0; left--) {
    if (await isTrue().catch(() => false)) return;
    await delay(20);
  }
  throw new Error('the lines did not arrive');
}
