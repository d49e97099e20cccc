/** Encrypts texts with AES-256-GCM: a text that was changed, or sealed with another key or for another purpose, does not open. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes that a sealed text has more than its text. */
export const SEAL_BYTES = IV_BYTES + TAG_BYTES;

/** `key`: 32 bytes. `purpose`: the text opens for the same purpose alone. */
export function sealText(text: string, key: Buffer, purpose = ''): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(purpose));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Returns undefined for bytes that were not sealed with this key for this purpose. */
export function openText(sealed: Buffer, key: Buffer, purpose = ''): string | undefined {
  if (sealed.length < SEAL_BYTES) return undefined;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return decipher.update(sealed.subarray(IV_BYTES, end), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
