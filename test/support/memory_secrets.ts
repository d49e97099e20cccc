/** Secrets in memory. */
import type { SecretStore } from '../../src/port/secret_store';

export function memorySecrets(): SecretStore {
  const secrets = new Map<string, string>();
  return {
    read: name => secrets.get(name),
    remove: async name => void secrets.delete(name),
    write: async (name, value) => void secrets.set(name, value),
  };
}
