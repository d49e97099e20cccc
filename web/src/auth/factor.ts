/** An authenticator app or a passkey of the person. */
export interface Factor {
  id: string;
  kind: 'totp' | 'passkey';
  name: string;
  createdAt: string;
  recoveryCodes?: number;
}
