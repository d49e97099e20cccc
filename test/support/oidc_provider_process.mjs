/** The process of test/support/oidc_provider.ts: a real OpenID Connect provider, controlled by messages of its parent. */
import { createServer } from 'node:http';
import OidcProvider from 'oidc-provider';

let provider;
let account;
let sessionId = '';
/** Subject -> claims. */
const known = new Map();

const server = createServer((request, response) => {
  if (!provider) return void response.writeHead(503).end();
  if (request.url.startsWith('/interaction/')) return void interact(request, response);
  provider.callback()(request, response);
});
server.listen(0, '127.0.0.1', () => process.send({ issuer: issuer() }));

const issuer = () => `http://127.0.0.1:${server.address().port}`;

/** Logs the person of the test in, and agrees to everything that the client asks for. */
async function interact(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    const refusal = { error: 'access_denied', error_description: '<b>no</b>' };
    const result = account ? { login: { accountId: account.sub, remember: false } } : refusal;
    return provider.interactionFinished(request, response, result);
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

const ACTIONS = {
  serve({ clients, key }) {
    provider = new OidcProvider(issuer(), {
      clients: clients.map(({ id, secret, redirectUri, logoutUri }) => ({
        client_id: id,
        client_secret: secret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      })),
      jwks: { keys: [key] },
      cookies: { keys: ['cookie secret of the test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      ttl: { AuthorizationCode: 60, AccessToken: 60, IdToken: 60, Grant: 60, Interaction: 60, Session: 60 },
      findAccount: (_, id) => ({ accountId: id, claims: async () => known.get(id) ?? { sub: id } }),
      // A gateway of a test listens on loopback.
      fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
    });
    provider.on('grant.success', ({ body }) => {
      sessionId = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url')).sid;
    });
  },
  use: ({ account: next }) => {
    account = next;
    // The provider may know the browser still, and asks for no login then.
    if (account) known.set(account.sub, account);
  },
  async expireCode({ code: text }) {
    const code = await provider.AuthorizationCode.find(text);
    code.exp = 1;
    await code.save(60);
  },
  sessionId: () => sessionId,
  async logOut({ clientId, subject, sessionId: sid }) {
    const client = await provider.Client.find(clientId);
    await client.backchannelLogout(subject, sid);
  },
};

process.on('message', async ({ id, action, given }) => {
  try {
    process.send({ id, result: await ACTIONS[action](given) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
process.on('disconnect', () => process.exit());
