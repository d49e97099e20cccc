import type { RedactedPieces, Redactor } from '../port/redactor';

/** The shortest secret; shorter values, such as `true` or a port, occur in texts that are no secret. */
const MIN_SECRET_UNITS = 8;
/** A value of this length occurs in no other text by chance, so it is replaced inside longer words too. */
const UNMISTAKABLE_UNITS = 16;

/** Secrets that the gateway makes and keeps as hashes or per tenant, known by their form: API keys, cookies of logins, keys of webhooks. */
const MADE_SECRETS = 'neta_[\\w-]{43}|whsec_[A-Za-z0-9+/]{32,88}={0,2}';

const redactMade = (text: string): string => text.replaceAll(new RegExp(MADE_SECRETS, 'g'), '[redacted]');

/** Returns a function that replaces the secrets in a text; a short one only where it stands as a whole token. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  return toRedact(patternsOf(secrets));
}

/** Creates a redactor. Texts are found in all forms that `JSON.stringify` gives them. */
export function createKnownSecrets(secrets: Iterable<string> = []): Redactor {
  const known = new Set<string>();
  const owned = new Map<string, string[]>();
  const all = () => [...known, ...[...owned.values()].flat()];
  let redact: ((text: string) => string) | undefined;
  const longForms = (texts: Iterable<string>) => [...texts].flatMap(formsOf).filter(({ length }) => length >= MIN_SECRET_UNITS);
  const addSecrets = (more: Iterable<string>) => {
    const before = known.size;
    for (const form of longForms(more)) known.add(form);
    if (known.size > before) redact = undefined;
  };
  addSecrets(secrets);
  return {
    addSecrets,
    setSecrets(owner, texts) {
      const forms = longForms(texts);
      if (forms.join('\n') === (owned.get(owner) ?? []).join('\n')) return;
      owned.set(owner, forms);
      redact = undefined;
    },
    redact(text) {
      // Compiled once, until another secret becomes known.
      redact ??= toRedact([...patternsOf(all()), MADE_SECRETS]);
      return redact(text);
    },
    openPieces: () => new PieceRedactor(all()),
  };
}

/** Returns the forms of a secret: in a text, in JSON, in an address, and, when it has several lines, in a log. */
export const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : []),
  ...secret.split(/\r?\n/).map(line => line.trim()),
];

/** Longer secrets come first, because a shorter one may be the beginning of a longer one. */
function patternsOf(secrets: readonly string[]): string[] {
  const known = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_UNITS).sort((a, b) => b.length - a.length);
  return known.map(secret => (secret.length >= UNMISTAKABLE_UNITS ? escapePattern(secret) : tokenPattern(secret)));
}

/** Builds one expression for all patterns: one pass a pattern would take 20 ms for 50 secrets and a text of a megabyte, instead of one. */
function toRedact(patterns: readonly string[]): (text: string) => string {
  if (patterns.length === 0) return text => text;
  const all = new RegExp(patterns.join('|'), 'g');
  return text => text.replace(all, '[redacted]');
}

/** A token begins after a character that no name contains, or after an escape such as `\n` in JSON. */
const tokenPattern = (secret: string): string => `(?<=^|[^\\w-]|\\\\[nrtbf])${escapePattern(secret)}(?![\\w-])`;

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The longest end of a text that can be the beginning of a secret that is known by its form. */
const MADE_BEGINNING = /(?:n(?:e(?:t(?:a(?:_[\w-]{0,42})?)?)?)?|w(?:h(?:s(?:e(?:c(?:_[A-Za-z0-9+/]{0,88}={0,2})?)?)?)?)?)$/;

/** Replaces the secrets in a text that comes in pieces: an end that can be the beginning of a secret waits for the next piece. */
export class PieceRedactor implements RedactedPieces {
  private readonly redactKnown: (text: string) => string;
  private waiting = '';

  constructor(private readonly secrets: readonly string[]) {
    this.redactKnown = createRedactor(secrets);
  }

  add(piece: string): string {
    const text = this.redactKnown(this.waiting + piece);
    const kept = Math.max(MADE_BEGINNING.exec(text)?.[0].length ?? 0, ...this.secrets.map(secret => overlapOf(text, secret)));
    this.waiting = text.slice(text.length - kept);
    return redactMade(text.slice(0, text.length - kept));
  }

  /** Returns the text that was held back. */
  finish(): string {
    const rest = redactMade(this.waiting);
    this.waiting = '';
    return rest;
  }
}

/** Length of the longest end of the text with which the secret begins; 0 for the whole secret, which is replaced already. */
function overlapOf(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
