import { randomBytes } from 'node:crypto';
import type { SecretSource } from '../../port/secrets';

const SECRET_BYTES = 32;

export const createSecretSource = (): SecretSource => ({ createSecret: () => randomBytes(SECRET_BYTES).toString('base64url') });
