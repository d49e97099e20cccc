import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { SecretStore } from '../../../port/secret_store';
import { replaceOwnFile } from './replace_file';

/**
 * Opens the secrets of a YAML file that only its owner can read: name -> value. Another gateway may use the same file, so a change begins with what the
 * file has now, and a name that is not known is looked up there. Throws with one sentence when the file cannot be read.
 */
export function openSecretStore(path: string): SecretStore {
  let secrets = readSecrets(path);
  let changing: Promise<void> = Promise.resolve();
  const change = (edit: (secrets: Map<string, string>) => void): Promise<void> => {
    const change = changing.then(async () => {
      const next = readSecrets(path);
      edit(next);
      await replaceOwnFile(path, Buffer.from(stringify(Object.fromEntries(next))));
      secrets = next;
    });
    changing = change.catch(() => {});
    return change;
  };
  return {
    read(name) {
      if (!secrets.has(name)) secrets = readSecrets(path);
      return secrets.get(name);
    },
    write: (name, value) => change(next => next.set(name, value)),
    remove: name => change(next => next.delete(name)),
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
