/**
 * The client under test of `npm run conformance:mcp`: connects to the server of a scenario with the adapter of the built gateway, logs in when the
 * server asks for it, as the browser of a person would, lists the tools and calls each once. The suite starts it with the address as its last argument.
 */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/build_if_needed.mjs';

const require = createRequire(import.meta.url);
const fromBuild = path => require(join(root, 'dist/src', path));
const { createMcpConnector } = fromBuild('adapter/mcp/mcp_connector.js');
const { createKnownSecrets } = fromBuild('adapter/redact.js');

const REDIRECT_URL = 'http://localhost:3000/api/v1/mcp-servers/callback';
const LIMIT_MS = 25_000;
const MAX_LOGINS = 3;
const url = process.argv.at(-1);
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const client = given.client_id === undefined ? undefined : { id: given.client_id, secret: given.client_secret };
const target = { kind: 'http', url, headers: {}, secrets: [], login: { client } };
let login;
const keeper = {
  id: 'the login',
  read: async () => login,
  write: async text => {
    login = text;
  },
  change: async change => {
    login = login === undefined ? undefined : await change(login);
  },
};
const connector = createMcpConnector({
  workspace: tmpdir(),
  directory: tmpdir(),
  environment: {},
  limits: {},
  owner: 'conformance',
  recordCaller: () => () => {},
  redactor: createKnownSecrets(),
  allow: [],
});
const handlers = {
  onClose() {},
  onToolsChange() {},
  onLateAnswer() {},
  onStderr() {},
  onLoginNeeded() {},
  onElicitation: async ({ schema }) => ({ action: 'accept', content: answerTo(schema) }),
};
const signal = AbortSignal.timeout(LIMIT_MS);

/** Fills a form: what its schema names as the default, or any value of the type. */
function answerTo({ properties = {} }) {
  const values = { string: 'text', number: 1, integer: 1, boolean: true };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, default: value, enum: [first] = [] }]) => [name, value ?? first ?? values[type]]),
  );
}

async function logIn() {
  const { url: page, step } = await connector.beginLogin(target, { redirectUrl: REDIRECT_URL, state: 'state', known: login });
  const answer = await fetch(page, { redirect: 'manual' });
  const { code, iss } = Object.fromEntries(new URL(answer.headers.get('location')).searchParams);
  await keeper.write(await connector.finishLogin(target, { step, code, iss, keeper }));
}

async function useServer() {
  const connection = await connector.connect(target, handlers, { signal, keeper });
  try {
    const { tools } = await connection.listTools(signal);
    // A tool that its server declares wrongly is in no registry.
    const usable = tools.filter(({ problem }) => problem === undefined);
    const calls = given.toolCalls ?? usable.map(({ name, inputSchema = {} }) => ({ name, arguments: answerTo(inputSchema) }));
    for (const call of calls) await connection.callTool(call.name, call.arguments, { signal, onProgress() {}, key: {} });
  } finally {
    await connection.close();
  }
}

for (let logins = 0; ; logins += 1) {
  try {
    await useServer();
    break;
  } catch (thrown) {
    if (logins === MAX_LOGINS || !/needs (?:a login|more rights)/.test(thrown.message)) throw thrown;
    await logIn();
  }
}
