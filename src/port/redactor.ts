/** Removes secrets from texts: keys, tokens and passwords that the gateway was given or has made. */
export interface Redactor {
  /** Replaces every known secret by `[redacted]`; a short one only where it stands as a whole token. One pass over the text. */
  redact(text: string): string;
  /** Makes secrets known. Values that are too short to be told from words are ignored. */
  addSecrets(secrets: Iterable<string>): void;
  /** Replaces the secrets that this owner made known before, for secrets that change again and again. */
  setSecrets(owner: string, secrets: Iterable<string>): void;
  /** Returns a redactor for a text that comes in pieces: the end of a piece is held back when it may be the beginning of a secret. */
  openPieces(): RedactedPieces;
}

export interface RedactedPieces {
  add(piece: string): string;
  /** Returns the text that was held back. */
  finish(): string;
}
