/** Names of files that need more care. The gateway's own file tools treat the same names so. */
import { basename } from 'node:path';

const KEY_NAMES = [
  /^\.env/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^id_(rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk)$/,
  /^[._]netrc$/,
  /^\.(npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg)$/,
];
const KEY_PATHS = /(^|\/)(\.aws\/credentials|\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml)$/;
/** Templates: names of settings without values. */
const SHARED = /^\.env\.(example|sample|template|dist|defaults)$/;

/** Returns whether the file usually holds keys or passwords. */
export function isKeyFile(path) {
  const normal = path.toLowerCase();
  const name = basename(normal);
  return !SHARED.test(name) && (KEY_NAMES.some(pattern => pattern.test(name)) || KEY_PATHS.test(normal));
}

/** Files that git executes or obeys. */
const GIT_FILES = /(^|\/)\.git(\/(.*\/)?(hooks|config|config\.worktree|commondir)($|\/)|$)/i;

/** Returns whether writing the file would change what git does. */
export const isProtected = path => GIT_FILES.test(path);
