import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openLogFile } from '../../../src/adapter/local/log_file';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'neta-log-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it('rotates by size, keeps the newest lines in the file itself and deletes the oldest file', async () => {
  const problems: string[] = [];
  const told = (sentence: string) => void problems.push(sentence);
  const file = openLogFile({ path: join(home, 'logs/neta.log'), maxMiB: 1, maxFiles: 2 }, { onProblem: told, onRecovery: told });
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
    const file = openLogFile({ path: join(home, 'none\0'), maxMiB: 1, maxFiles: 1 }, { onProblem: resolve, onRecovery: () => {} });
    file.write('a line');
  });
  expect(problem).toMatch(/^the log file .* cannot be written: /);
});

it('tries again after a while, and says once that the file is written again', async () => {
  const path = join(home, 'neta.log');
  await mkdir(path);
  const told: string[] = [];
  const tell = (sentence: string) => void told.push(sentence);
  const file = openLogFile({ path, maxMiB: 1, maxFiles: 1, retryMs: 40 }, { onProblem: tell, onRecovery: tell });
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
