/**
 * Encrypts the texts that gateways send each other over a server that others use too: whoever reads them there sees nothing, and a text that another
 * program sends opens for no gateway.
 */
import { hkdfSync } from 'node:crypto';
import { openText, SEAL_BYTES, sealText } from '../../utils/sealed_text';

export { SEAL_BYTES };

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
    return sealText(text, this.key);
  }

  /** Returns undefined for bytes that no gateway with this secret has sealed. */
  open(sealed: Buffer): string | undefined {
    return openText(sealed, this.key);
  }
}
