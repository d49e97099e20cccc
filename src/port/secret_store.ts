/** Secrets that people enter while the gateway runs, such as the key of a model server. They outlive a restart. */

/**
 * @example
 * import type { SecretStore } from './secret_store';
 *
 * // Secrets in memory, for tests.
 * export function memorySecrets(): SecretStore {
 *   const secrets = new Map<string, string>();
 *   return {
 *     read: name => secrets.get(name),
 *     remove: async name => void secrets.delete(name),
 *     write: async (name, value) => void secrets.set(name, value),
 *   };
 * }
 */
export interface SecretStore {
  /** Returns the secret of this name. */
  read(name: string): string | undefined;
  /** Adds or replaces a secret. Resolves once it is stored. Rejects with a sentence when the disk refuses. */
  write(name: string, value: string): Promise<void>;
  /** Rejects as `write`. */
  remove(name: string): Promise<void>;
}
