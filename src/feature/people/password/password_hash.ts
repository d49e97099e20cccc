/**
 * Hashes passwords with Argon2id of Node's crypto (OpenSSL), in the thread pool of Node, so that the event loop goes on. Memory and passes are those
 * that OWASP's Password Storage Cheat Sheet names first.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../../errors';

const KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

interface Parameters {
  memory: number;
  passes: number;
  salt: Buffer;
  tagLength: number;
}

/** Resolves with the hash in the PHC form, which names its parameters: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, { memory: KIB, passes: PASSES, salt, tagLength: TAG_BYTES });
  return `$argon2id$v=19$m=${KIB},t=${PASSES},p=1$${toBase64(salt)}$${toBase64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/;

/** Resolves true when the password is the one of the hash. Takes the same time for every password. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, salt = '', tag = ''] = PHC.exec(hash) ?? [];
  const known = Buffer.from(tag, 'base64');
  const found = await tagOf(password, {
    memory: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt, 'base64'),
    tagLength: known.length,
  });
  return timingSafeEqual(found, known);
}

/** Unicode has several spellings of one letter, so NFKC comes first, as NIST SP 800-63B says. */
async function tagOf(password: string, { memory, passes, salt, tagLength }: Parameters): Promise<Buffer> {
  if (typeof argon2 !== 'function') throw tooOld();
  return promisify(argon2)('argon2id', { message: password.normalize('NFKC'), nonce: salt, parallelism: 1, memory, passes, tagLength });
}

/** Base64 without padding, as the PHC form has it. */
const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const tooOld = (): AppError =>
  new AppError('invalid_request', {
    message: `Passwords need Node 24.7 or newer, and this gateway runs on ${process.version}: start it with a newer Node.`,
    messageZh: `密码需要 Node 24.7 或更新版本，而此网关运行在 ${process.version} 上：请用更新的 Node 启动。`,
  });
