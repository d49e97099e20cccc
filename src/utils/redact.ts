/** Shorter values, such as `true` or a port, occur in texts that are no secret. */
const MIN_SECRET_UNITS = 8;
/** A value this long occurs in no other text by chance, so it is replaced inside longer words too. */
const UNMISTAKABLE_UNITS = 16;

/** Returns a function that replaces the secrets in a text; a short one only where it stands as a whole token. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_UNITS).sort((a, b) => b.length - a.length);
  const patterns = known.map(secret => (secret.length >= UNMISTAKABLE_UNITS ? secret : tokenPattern(secret)));
  return text => patterns.reduce<string>((left, pattern) => left.replaceAll(pattern, '[redacted]'), text);
}

/** A token begins after a character that no name contains, or after an escape such as `\n` in JSON. */
function tokenPattern(secret: string): RegExp {
  const escaped = secret.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`(?<=^|[^\\w-]|\\\\[nrtbf])${escaped}(?![\\w-])`, 'g');
}

/** Secrets of API keys that the gateway made: it keeps only their hashes, so they are known by their form. */
const MADE_KEY = /neta_[\w-]{43}/g;

export const redactMadeKeys = (text: string): string => text.replaceAll(MADE_KEY, '[redacted]');

/** Replaces the secrets in a text that comes in pieces: an end that can be the beginning of a secret waits for the next piece. */
export class PieceRedactor {
  private readonly redact: (text: string) => string;
  private waiting = '';

  constructor(private readonly secrets: readonly string[]) {
    this.redact = createRedactor(secrets);
  }

  add(piece: string): string {
    const text = this.redact(this.waiting + piece);
    const split = text.length - Math.max(0, ...this.secrets.map(secret => overlapOf(text, secret)));
    this.waiting = text.slice(split);
    return text.slice(0, split);
  }

  /** Returns what still waits. */
  finish(): string {
    const rest = this.waiting;
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
