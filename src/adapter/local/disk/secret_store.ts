import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { SecretStore } from '../../../port/secret_store';
import { replaceOwnFile } from './replace_file';

/** Opens the secrets of a YAML file that only its owner can read: name -> value. Throws with one sentence when the file cannot be read. */
export function openSecretStore(path: string): SecretStore {
  const secrets = readSecrets(path);
  let writing: Promise<void> = Promise.resolve();
  return {
    read: name => secrets.get(name),
    write(name, value) {
      const write = writing.then(async () => {
        const next = new Map(secrets).set(name, value);
        await replaceOwnFile(path, Buffer.from(stringify(Object.fromEntries(next))));
        secrets.set(name, value);
      });
      writing = write.catch(() => {});
      return write;
    },
  };
}

function readSecrets(path: string): Map<string, string> {
  try {
    return new Map(Object.entries((parse(readFileSync(path, 'utf8')) ?? {}) as Record<string, string>));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw new Error(`${path} cannot be read: ${(thrown as Error).message}. Mend it, or move it away and enter the keys again.`);
  }
}
