/** Encrypts secrets that the store keeps, so that a copy of the database shows none of them. */

/**
 * @example
 * import type { Sealer } from './sealer';
 *
 * // Hides nothing, for tests.
 * export const plainSealer: Sealer = {
 *   seal: (text, purpose) => `${purpose} ${text}`,
 *   open: (sealed, purpose) => (sealed.startsWith(`${purpose} `) ? sealed.slice(purpose.length + 1) : undefined),
 * };
 */
export interface Sealer {
  /** Encrypts a text. `purpose` names the row, so that the text of one row does not open in another. Throws when the key cannot be read. */
  seal(text: string, purpose: string): string;
  /** Returns undefined for a text that was sealed with another key or for another purpose. Throws as `seal`. */
  open(sealed: string, purpose: string): string | undefined;
}
