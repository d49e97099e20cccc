import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobDirectory } from '../../../../src/adapter/local/workspace/blob_directory';
import { describeBlobStore } from '../../../contract/blob_store_contract';

describe('a directory of blobs', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'neta-blobs-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  describeBlobStore(async () => ({ blobs: await openBlobDirectory(join(home, 'blobs')), now: Date.now, name: async () => {} }));

  test('rejects while the directory is not mounted and an empty mount point is in its place', async () => {
    const blobs = await openBlobDirectory(join(home, 'blobs'));
    await rename(join(home, 'blobs'), join(home, 'elsewhere'));
    await mkdir(join(home, 'blobs'));
    await expect(blobs.get('acme', 'a'.repeat(64))).rejects.toThrow('lacks its file .neta-blobs');
    await expect(blobs.put('acme', [])).rejects.toThrow('lacks its file .neta-blobs');
  });
});
