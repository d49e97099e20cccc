/** Encrypts with a key from the settings, or from a file that the first use creates. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Sealer } from '../../../port/sealer';
import { openText, sealText } from '../../../utils/sealed_text';

const SECRET_BYTES = 32;
const LOST_KEY =
  'With a new key, log in at the MCP servers again, compact conversations again, and remove the authenticator apps of people, who add them again: earlier logins, compaction items and apps do not open any more.';

/** `secret`: from the settings; gateways on one database need the same. Absent: the secret in `file`, which only its owner can read. */
export function createSealer({ secret, file }: { secret?: string | undefined; file: string }): Sealer {
  let known: Buffer | undefined;
  const key = () => {
    known ??= Buffer.from(hkdfSync('sha256', secret ?? readOrCreate(file), '', 'sealed rows', 32));
    return known;
  };
  return {
    seal: (text, purpose) => sealText(text, key(), purpose).toString('base64url'),
    open: (sealed, purpose) => openText(Buffer.from(sealed, 'base64url'), key(), purpose),
  };
}

/** Reads the secret of the file. Of several processes that create the file at once, one wins, and all use its secret. */
function readOrCreate(file: string): string {
  const read = (): string => {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret !== '') return secret;
    throw new Error(`${file} is empty: put the key of a backup there, or delete the file. ${LOST_KEY}`);
  };
  try {
    return read();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  }
  const temporary = `${file}.${randomBytes(9).toString('hex')}`;
  try {
    writeFileSync(temporary, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flush: true });
    linkSync(temporary, file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  } finally {
    rmSync(temporary, { force: true });
  }
  return read();
}
