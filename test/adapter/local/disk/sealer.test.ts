import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer } from '../../../../src/adapter/local/disk/sealer';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'neta-sealer-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('ASVS 2.8.2: creates the key at the first use, readable for its owner alone, and opens with it later', async () => {
  const file = join(directory, 'secret.key');
  const sealed = createSealer({ file }).seal('a token', 'row 1');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, 'utf8')).trim()).toMatch(/^[\w-]{43}$/);
  expect(createSealer({ file }).open(sealed, 'row 1')).toBe('a token');
});

it('opens nothing with another key, for another purpose, or after a change', () => {
  const sealer = createSealer({ secret: 'k'.repeat(32), file: '' });
  const sealed = sealer.seal('a token', 'row 1');
  expect(sealed).not.toContain('token');
  expect(createSealer({ secret: 'l'.repeat(32), file: '' }).open(sealed, 'row 1')).toBeUndefined();
  expect(sealer.open(sealed, 'row 2')).toBeUndefined();
  expect(sealer.open(`${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`, 'row 1')).toBeUndefined();
  expect(createSealer({ secret: 'k'.repeat(32), file: '' }).open(sealed, 'row 1')).toBe('a token');
});
