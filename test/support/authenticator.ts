/** The authenticator app of a person. */
import { Secret, TOTP } from 'otpauth';
import type { PersonClient } from './people_client';

export interface AuthenticatorApp {
  secret: string;
  /** Returns the code of an app whose clock is `offset` seconds ahead. */
  code(offset?: number): string;
  recoveryCodes: readonly string[];
}

/** Adds an app to the account, with the code of the time step before. */
export async function addApp(client: PersonClient): Promise<AuthenticatorApp> {
  const begun = await client.request<{ secret: string; url: string; qr: string }>('POST', '/me/totp', {});
  expect(begun.body.url).toMatch(/^otpauth:\/\/totp\/Neta:/);
  expect(begun.body.qr).toContain('<svg');
  const { secret } = begun.body;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = (offset = 0) => totp.generate({ timestamp: Date.now() + offset * 1_000 });
  const made = await client.request<{ recoveryCodes: string[] }>('POST', '/me/totp/confirm', { code: code(-30) });
  expect([made.status, made.body.recoveryCodes?.length]).toEqual([200, 10]);
  return { secret, code, recoveryCodes: made.body.recoveryCodes };
}
