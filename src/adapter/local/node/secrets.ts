/** Makes the secrets of API keys and of logins. */
import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Returns 256 random bits as 43 characters of `[A-Za-z0-9_-]`. */
export const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
