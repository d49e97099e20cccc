import fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryWatch } from '../../../../src/adapter/local/disk/directory_watch';
import { until } from '../../../support/until';

let root: string;
let watch: DirectoryWatch | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'neta-watch-'));
});
afterEach(async () => {
  watch?.close();
  jest.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

/** Watches the root and its folder `a`. `next` resolves with the next report. */
async function startWatch(): Promise<{ next: () => Promise<boolean> }> {
  let reports = 0;
  watch = new DirectoryWatch({
    listDirectories: async () => [root, join(root, 'a')],
    onChange: () => {
      reports += 1;
    },
  });
  await watch.update();
  const next = () => {
    const before = reports;
    return until(() => reports > before);
  };
  return { next };
}

describe('a watch of directories', () => {
  it('reports a new file, and a change in a directory that was made again', async () => {
    await mkdir(join(root, 'a'));
    const { next } = await startWatch();
    const first = next();
    await writeFile(join(root, 'a/one.md'), '1');
    expect(await first).toBe(true);
    const second = next();
    await rm(join(root, 'a'), { recursive: true });
    await mkdir(join(root, 'a'));
    expect(await second).toBe(true);
    await watch?.update();
    const third = next();
    await writeFile(join(root, 'a/two.md'), '2');
    expect(await third).toBe(true);
  });

  it('compares times where the system cannot watch', async () => {
    const refused = jest.spyOn(fs, 'watch').mockImplementation(() => {
      throw new Error('ENOSPC');
    });
    await mkdir(join(root, 'a'));
    await writeFile(join(root, 'a/SKILL.md'), 'first');
    const { next } = await startWatch();
    expect(refused).toHaveBeenCalled();
    const started = performance.now();
    const changed = next();
    // The first comparison only remembers the times, so change the file until the second one reports it.
    const timer = setInterval(() => fs.appendFileSync(join(root, 'a/SKILL.md'), 'more'), 50);
    await changed;
    clearInterval(timer);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
