import { mkdtemp, rm } from 'node:fs/promises';
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
});
