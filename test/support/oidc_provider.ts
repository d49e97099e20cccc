/** A real OpenID Connect provider (oidc-provider) on loopback, in a process of its own; its people log in without a page. */
import { fork } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The claims of a person at the provider. */
export type Account = { sub: string } & Record<string, unknown>;

/** The secret of all clients. */
export const CLIENT_SECRET = 'the secret of all clients';

export interface TestProvider {
  readonly issuer: string;
  /** Signs the tokens. */
  readonly key: KeyObject;
  readonly keyId: string;
  /** Starts to serve the clients with these ids, which are those of providers of the gateway at `url`. Until then the provider answers 503. */
  serve(url: string, ids: readonly string[]): Promise<void>;
  /** The person who logs in next; undefined: the login is refused. */
  use(account: Account | undefined): Promise<void>;
  /** Ends the time of a code. */
  expireCode(code: string): Promise<void>;
  /** Resolves with the session id of the newest ID token. */
  sessionId(): Promise<string>;
  /** Tells the client that the session of a person has ended. Rejects when the client refuses it. */
  logOut(clientId: string, subject: string, sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Writes login.yaml for clients of the provider, whose secret is in OIDC_SECRET. */
export async function writeLoginFile(
  directory: string,
  { issuer }: TestProvider,
  providers: readonly { id: string; [field: string]: unknown }[],
  more: { requireSecondFactor?: readonly string[] } = {},
): Promise<void> {
  const rows = providers.map(row => ({ issuer, clientId: row.id, clientSecretEnv: 'OIDC_SECRET', ...row }));
  await writeFile(join(directory, 'login.yaml'), JSON.stringify({ providers: rows, ...more }));
}

interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

export async function startOidcProvider(): Promise<TestProvider> {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keyId = 'test-key';
  const child = fork(join(__dirname, 'oidc_provider_process.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
  let lastId = 0;
  const ask = async (action: string, given: object = {}): Promise<unknown> => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<Reply>(resolve => {
      const listen = (reply: Reply) => {
        if (reply.id !== id) return;
        child.off('message', listen);
        resolve(reply);
      };
      child.on('message', listen);
    });
    child.send({ id, action, given });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(error);
    return result;
  };
  return {
    issuer,
    key,
    keyId,
    async serve(url, ids) {
      const clients = ids.map(id => ({
        id,
        secret: CLIENT_SECRET,
        redirectUri: `${url}/auth/${id}/callback`,
        logoutUri: `${url}/auth/${id}/back-channel-logout`,
      }));
      await ask('serve', { clients, key: { ...key.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' } });
    },
    async use(account) {
      await ask('use', { account });
    },
    async expireCode(code) {
      await ask('expireCode', { code });
    },
    sessionId: () => ask('sessionId') as Promise<string>,
    async logOut(clientId, subject, sessionId) {
      await ask('logOut', { clientId, subject, sessionId });
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
