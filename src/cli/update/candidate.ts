/** The package of the version to which a gateway shall be updated. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UPDATE_TEXTS as TEXTS, UpdateError } from './update_texts';

const NAME = 'neta-gateway';
/** It becomes the name of a directory. */
const VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/;

export interface Candidate {
  version: string;
  /** Directory of the package. */
  root: string;
}

/**
 * Unpacks a package below `versions`, unless it is that of the version `current`. `wanted`: a file, or a version that npm fetches. Rejects with
 * UpdateError.
 */
export async function unpackCandidate(wanted: string, versions: string, current: string): Promise<Candidate> {
  await mkdir(versions, { recursive: true });
  const place = await mkdtemp(join(versions, '.unpack-'));
  try {
    const isFile = (await stat(wanted).catch(() => undefined))?.isFile();
    const file = isFile ? resolve(wanted) : await fetchPackage(wanted, place);
    const unpacked = join(place, 'package');
    await unpack(file, unpacked);
    const version = await readVersion(unpacked, wanted);
    const root = join(versions, version);
    // A running gateway loads parts of its package later.
    if (version === current) return { version, root };
    await rename(root, join(place, 'replaced')).catch(() => undefined);
    await rename(unpacked, root);
    return { version, root };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function fetchPackage(version: string, directory: string): Promise<string> {
  const args = ['pack', `${NAME}@${version}`, '--loglevel=error', '--pack-destination', directory];
  const { stdout } = await promisify(execFile)('npm', args).catch((thrown: { stderr?: string; message: string }) => {
    const reason = (thrown.stderr ?? thrown.message).trim().split('\n')[0] ?? '';
    throw new UpdateError(TEXTS.notFetched, `${version}${reason && ` (${reason})`}`);
  });
  return join(directory, stdout.trim());
}

async function unpack(file: string, directory: string): Promise<void> {
  // Loads with the first update.
  const { unpackTar } = await import('modern-tar');
  try {
    const entries = await unpackTar(await promisify(gunzip)(await readFile(file)), { strip: 1 });
    for (const { header, data } of entries) {
      const path = resolve(directory, header.name);
      if (data === undefined || !path.startsWith(directory + sep)) continue;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, data, { mode: header.mode });
    }
  } catch (thrown) {
    throw new UpdateError(TEXTS.noPackage, `${file} (${(thrown as Error).message})`);
  }
}

/** Resolves with the version; rejects when the directory holds another package. */
async function readVersion(root: string, wanted: string): Promise<string> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  const { name, version } = JSON.parse(text) as { name?: string; version?: string };
  if (name !== NAME || version === undefined || !VERSION.test(version)) throw new UpdateError(TEXTS.noPackage, wanted);
  return version;
}
