/** Makes secrets: those of API keys and of logins. */

export interface SecretSource {
  /** Returns 256 random bits as 43 characters of `[A-Za-z0-9_-]`. */
  createSecret(): string;
}
