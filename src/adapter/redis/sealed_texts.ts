/**
 * Encrypts the texts that gateways send each other over a server that others use too: whoever reads them there sees nothing, and a text that another
 * program sends opens for no gateway.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes that a sealed text has more than its text. */
export const SEAL_BYTES = IV_BYTES + TAG_BYTES;

export class SealedTexts {
  /** The name of the channel of the gateways that share the secret. The secret does not follow from it. */
  readonly channel: string;
  private readonly key: Buffer;

  constructor(secret: string) {
    const derive = (use: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, '', use, bytes));
    this.channel = `neta:${derive('channel', 16).toString('hex')}`;
    this.key = derive('texts', 32);
  }

  seal(text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv);
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Returns undefined for bytes that no gateway with this secret has sealed. */
  open(sealed: Buffer): string | undefined {
    if (sealed.length < SEAL_BYTES) return undefined;
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, this.key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(end));
    try {
      return decipher.update(sealed.subarray(IV_BYTES, end), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
