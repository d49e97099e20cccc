/** The contract of the port BlobStore; each adapter runs this suite. */
import type { BlobStore } from '../../src/port/blob_store';
import { contentHash } from '../../src/utils/content_hash';
import { TENANT } from '../support/store_records';

const blobOf = (text: string) => ({ hash: contentHash(text), bytes: Buffer.from(text) });
const LATER = 60_000;

/** `open`: resolves with an empty store of the running test. `name` makes a path of the store name a hash. */
export function describeBlobStore(
  open: () => Promise<{ blobs: BlobStore; now: () => number; name: (hash: string) => Promise<void> }>,
): void {
  const named = new Set<string>();
  const isNamed = async (_tenantId: string, hash: string) => named.has(hash);
  const [one, two] = [blobOf('one'), blobOf('two')];

  test('keeps the bytes of a tenant under their hashes, and says which are missing', async () => {
    const { blobs } = await open();
    expect(await blobs.missing(TENANT, [one.hash, two.hash])).toEqual(expect.arrayContaining([one.hash, two.hash]));
    await blobs.put(TENANT, [one]);
    await blobs.put(TENANT, [one]);
    expect(await blobs.missing(TENANT, [one.hash, two.hash])).toEqual([two.hash]);
    expect(Buffer.from((await blobs.get(TENANT, one.hash)) ?? []).toString()).toBe('one');
    expect(await blobs.get(TENANT, two.hash)).toBeUndefined();
    expect(await blobs.get('globex', one.hash)).toBeUndefined();
    expect(await blobs.missing('globex', [one.hash])).toEqual([one.hash]);
  });

  test('keeps an empty file and a megabyte', async () => {
    const { blobs } = await open();
    const large = blobOf('x'.repeat(1024 * 1024));
    await blobs.put(TENANT, [blobOf(''), large]);
    expect((await blobs.get(TENANT, contentHash('')))?.length).toBe(0);
    expect((await blobs.get(TENANT, large.hash))?.length).toBe(1024 * 1024);
  });

  test('deletes blobs that no path names and that nobody has asked for since a time', async () => {
    const { blobs, now, name } = await open();
    await blobs.put(TENANT, [one, two]);
    named.add(two.hash);
    await name(two.hash);
    await blobs.deleteUnused(now() - LATER, isNamed);
    expect(await blobs.missing(TENANT, [one.hash])).toEqual([]);
    await blobs.deleteUnused(now() + LATER, isNamed);
    expect(await blobs.get(TENANT, one.hash)).toBeUndefined();
    expect((await blobs.get(TENANT, two.hash))?.length).toBe(3);
  });
}
