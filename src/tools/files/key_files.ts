/** Recognises files that usually hold keys or passwords, by name. */
import { posix } from 'node:path';
import { foldName } from '../../utils/look_alike_names';

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

/** `path` may be absolute or relative; ignores case, and finds names that only look the same. */
export function isKeyFile(path: string): boolean {
  const normal = foldName(posix.normalize(path)).toLowerCase();
  const name = posix.basename(normal);
  return !SHARED.test(name) && (KEY_NAMES.some(pattern => pattern.test(name)) || KEY_PATHS.test(normal));
}
