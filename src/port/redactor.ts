/** Removes the secrets of the gateway from texts: keys, tokens and passwords that it was given or has made. */
export interface Redactor {
  /** Replaces every known secret by `[redacted]`; a short one only where it stands as a whole token. One pass over the text. */
  redact(text: string): string;
  /** Makes secrets known. Values that are too short to be told from words are ignored. */
  addSecrets(secrets: Iterable<string>): void;
  /** Returns a redactor for a text that comes in pieces: an end that can be the beginning of a secret waits for the next piece. */
  openPieces(): RedactedPieces;
}

export interface RedactedPieces {
  add(piece: string): string;
  /** Returns what still waits. */
  finish(): string;
}
