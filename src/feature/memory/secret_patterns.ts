/**
 * Finds keys and passwords in a text that is to be remembered: a memory goes to the model in every later session. The patterns prefer precision,
 * so that a sentence about passwords passes; they find well-known forms of keys and values that are assigned to a name such as `password`.
 */
import { toCheckedText } from '../../utils/plain_text';

/** Forms that providers document for their keys. */
const KEY_FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----/,
  // OpenAI, Anthropic and others that use the same prefix.
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bgithub_pat_[A-Za-z0-9_]{22,}/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bya29\.[A-Za-z0-9_-]{20,}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bpypi-[A-Za-z0-9_-]{32,}/,
  /\bhf_[A-Za-z0-9]{30,}/,
  /\bgsk_[A-Za-z0-9]{30,}/,
  /\b(?:xai|pplx|tvly)-[A-Za-z0-9-]{30,}/,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{40,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /\bdop_v1_[a-f0-9]{40,}/,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/,
  /\bneta_[A-Za-z0-9_-]{16,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/,
  // An address with a user and a password.
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:[^\s/@]{3,100}@/i,
  /\b(?:Bearer|Basic)\s+(?=[^\s]*\d)[A-Za-z0-9+/._~-]{16,}/,
];

const SECRET_NAME =
  '(?:passwords?|passwd|pwd|pass ?phrase|secret(?:[_ -]?key)?|client[_ -]?secret|api[_ -]?key|(?:access|account|auth|private|encryption|signing)[_ -]?(?:key|token)|token|' +
  '密码|口令|密钥|私钥|令牌)';
/** Parts of an assignment: a name, an assignment sign, a value, and the text behind the value. */
const ASSIGNMENT = new RegExp(
  `${SECRET_NAME}["'\`*]{0,3}\\s*(?<sign>[:=：＝]|\\b(?:is|was)\\b|是|为)\\s*["'\`*]{0,3}(?<value>[\\x21-\\x7e]{4,})(?<rest>[^\\n]{0,40})`,
  'gi',
);
const PLACEHOLDER = /^[<$%{[(*]|^(?:x+|\.+|\*+)$/i;

/** Returns true when the text holds something that looks like a key or password. */
export function holdsSecret(written: string): boolean {
  const text = toCheckedText(written);
  return KEY_FORMS.some(form => form.test(text)) || [...text.matchAll(ASSIGNMENT)].some(isSecretValue);
}

/** Returns true for the value of `password: hunter2`; false for `Password: rotated every 90 days` and `the token is $TOKEN`. */
function isSecretValue({ groups }: RegExpMatchArray): boolean {
  const { sign = '', value: written = '', rest = '' } = groups ?? {};
  const value = written.replace(/["'`*.,;:!?)]+$/, '');
  if (PLACEHOLDER.test(value)) return false;
  const isMixed = value.length >= 6 && /\d|[^A-Za-z0-9'./-]/.test(value) && /[A-Za-z]/.test(value);
  if (!/[:=：＝]/.test(sign)) return isMixed && /\d/.test(value);
  // A plain word counts as a password only when no sentence goes on behind it.
  const isLast = !/^[\s"'`*]*[\p{L}\p{N}]/u.test(rest);
  return isMixed || (isLast && (value.length >= 6 || /^\d{4,}$/.test(value)));
}
