/** Blobs as files of a directory that all gateways share: `<tenant>/<first two digits of the hash>/<hash>`. */
import { link, mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from '../../../port/blob_store';
import { replaceOwnFile } from '../disk/replace_file';
import { errorCode, missingAsUndefined } from '../disk/safe_path';

const HASH = /^[0-9a-f]{64}$/;
/** A blob that is about to be deleted. */
const LEAVING = '.leaving';
/** A file of the directory. When it is missing, the directory is not mounted, and the absence of a blob says nothing. */
const MARKER = '.neta-blobs';

/** Opens the directory, and creates it when it is missing. Reading a missing blob, and `put`, reject while the directory is not mounted. */
export async function openBlobDirectory(directory: string): Promise<BlobStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const marker = join(directory, MARKER);
  await writeFile(marker, '', { flag: 'a', mode: 0o600 });
  const assertMounted = async () => {
    if ((await changedAt(marker)) === Infinity)
      throw new Error(`The blob directory ${directory} lacks its file ${MARKER}. Mount the directory that the gateways share.`);
  };
  const placeOf = (tenantId: string, hash: string) => join(directory, tenantId, hash.slice(0, 2), hash);
  return {
    async missing(tenantId, hashes) {
      const lacking: string[] = [];
      for (const hash of hashes) if (!(await touch(placeOf(tenantId, hash)))) lacking.push(hash);
      return lacking;
    },
    async put(tenantId, blobs) {
      await assertMounted();
      for (const { hash, bytes } of blobs) {
        const place = placeOf(tenantId, hash);
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        if (!(await touch(place))) await replaceOwnFile(place, bytes);
      }
    },
    // While deleteUnused looks at a blob once more, the blob has its other name.
    async get(tenantId, hash) {
      const place = placeOf(tenantId, hash);
      const read = (path: string) => readFile(path).catch(missingAsUndefined);
      const bytes = (await read(place)) ?? (await read(place + LEAVING)) ?? (await read(place));
      if (!bytes) await assertMounted();
      return bytes;
    },
    async deleteUnused(before, isNamed) {
      for (const tenantId of (await names(directory)).filter(name => name !== MARKER))
        for (const part of await names(join(directory, tenantId)))
          for (const hash of await names(join(directory, tenantId, part))) {
            const place = join(directory, tenantId, part, hash);
            if (HASH.test(hash) && (await changedAt(place)) < before && !(await isNamed(tenantId, hash))) await deleteIfOld(place, before);
          }
    },
  };
}

/** Gives a file the present time. Resolves false when there is none. */
async function touch(place: string): Promise<boolean> {
  const now = new Date();
  return utimes(place, now, now).then(
    () => changedAt(place).then(time => time < Infinity),
    thrown => missingAsUndefined(thrown) ?? false,
  );
}

/** Another gateway may have asked for the blob since: then it stays. */
async function deleteIfOld(place: string, before: number): Promise<void> {
  await rename(place, place + LEAVING);
  if ((await changedAt(place + LEAVING)) >= before) await link(place + LEAVING, place).catch(existingAsUndefined);
  await unlink(place + LEAVING);
}

/** Infinity when there is no such file. */
const changedAt = async (place: string): Promise<number> => (await stat(place).catch(missingAsUndefined))?.mtimeMs ?? Infinity;

const names = async (directory: string): Promise<string[]> => (await readdir(directory).catch(missingAsUndefined)) ?? [];

function existingAsUndefined(thrown: unknown): void {
  if (errorCode(thrown) !== 'EEXIST') throw thrown;
}
