/** The first run: settings of a directory, its model, its first key and its service, by questions or by options. */
import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { NetaClient } from '../../clients/typescript/src/client';
import { connectModel } from './choose_model';
import { type Invocation, UsageError } from './command';
import { reachDirectly } from './direct_addresses';
import { writeDirectory } from './directory';
import { changeEnvFile, readEnvFile } from './env_file';
import { addressOf, findPlace } from './gateway_place';
import { findFreePort, findPortProblem, isOwnMachine, originsOf } from './listen_address';
import { ONBOARD_TEXTS as TEXTS } from './onboard_texts';
import type { Prompts } from './prompts';
import { ALL_SCOPES, createKeySecret, startSetupGateway } from './setup_gateway';

export interface OnboardReport {
  directory: string;
  /** The address at which the gateway will answer. */
  url: string;
  /** Absent: the demo answers. */
  model?: string;
  sandbox: { kind: string; problem?: string };
  /** The first admin key, which nothing shows again. */
  key?: { name: string; secret: string };
  /** The link with which the first person makes the account, which nothing shows again. */
  account?: { email: string; url: string };
}

type Step = Pick<Invocation, 'options' | 'output' | 'language' | 'env'> & { directory: string; prompts: Prompts };

const DEFAULT_PORT = '7001';
const DEFAULT_KEY_NAME = 'admin';
/** Answers that mean: no key. */
const NO_KEY = ['none', ''];
const KEY_NAME = /^[\w-]{1,60}$/;
const EMAIL = /^[^\s@:]+@[^\s@:]+$/;
/** A server on this machine may load its model first. */
const RETRIES = 2;

/** Writes the settings and tries them. Rejects with UsageError for an answer that cannot be used. */
export async function setUp(step: Step): Promise<OnboardReport> {
  const { directory, output, language, prompts, options } = step;
  const before = await readEnvFile(directory);
  const address = await chooseAddress(step, before);
  const workspace = await chooseWorkspace(step, before);
  const keyName = text(options['admin-key-name']) ?? (await prompts.ask(TEXTS.keyName[language], DEFAULT_KEY_NAME));
  if (!NO_KEY.includes(keyName) && !KEY_NAME.test(keyName)) throw new UsageError(`--admin-key-name: ${String(KEY_NAME)}`);
  const account = text(options['account']) ?? (await prompts.ask(TEXTS.account[language], ''));
  if (account !== '' && !EMAIL.test(account)) throw new UsageError(`--account ${TEXTS.badAccount[language]}`);
  await writeDirectory(directory);
  await mkdir(workspace, { recursive: true });
  await changeEnvFile(directory, { HOST: address.host, PORT: String(address.port), NETA_WORKSPACE: workspace });
  const isOpen = !isOwnMachine(address.host);
  const fileKey = isOpen ? await writeKeyFile(step, address, keyName) : undefined;
  if (!output.isJson) output.note(TEXTS.starting[language], 'dim');
  const { token, ...tried } = await trySettings(step, { keyName: isOpen ? undefined : keyName, email: account || undefined });
  const url = addressOf(findPlace(directory, await readEnvFile(directory)));
  const made = token === undefined ? undefined : { email: account, url: `${url}/#invitation=${token}` };
  return { directory, url, ...tried, key: fileKey ?? tried.key, account: made };
}

async function chooseAddress({ options, prompts, language }: Step, before: NodeJS.Dict<string>): Promise<{ host: string; port: number }> {
  const host = text(options['host']) ?? before['HOST'] ?? '127.0.0.1';
  const wished = text(options['port']) ?? before['PORT'];
  const free = wished ?? String((await findFreePort(host, Number(DEFAULT_PORT))) ?? DEFAULT_PORT);
  const port = Number(text(options['port']) ?? (await prompts.ask(TEXTS.port[language], free)));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError(`--port ${TEXTS.badPort[language]}`);
  const problem = await findPortProblem(host, port);
  if (problem === undefined) return { host, port };
  throw new UsageError(`${host}:${port}: ${problem === 'EADDRINUSE' ? TEXTS.portUsed[language] : problem}`);
}

async function chooseWorkspace({ directory, options, prompts, language }: Step, before: NodeJS.Dict<string>): Promise<string> {
  const usual = before['NETA_WORKSPACE'] ?? join(directory, 'workspace');
  return resolve(text(options['workspace']) ?? (await prompts.ask(TEXTS.workspace[language], usual)));
}

/** Other machines can reach the gateway, so its start needs a key, and the addresses of its pages. Returns the key; undefined when there are keys. */
async function writeKeyFile(
  { directory, output, language }: Step,
  { host, port }: { host: string; port: number },
  keyName: string,
): Promise<OnboardReport['key']> {
  const known = await readEnvFile(directory);
  const origins = known['NETA_ORIGINS'] || originsOf(host, port).join(',');
  await changeEnvFile(directory, { NETA_ORIGINS: origins, NETA_HOSTS: known['NETA_HOSTS'] || hostname() });
  if (known['NETA_API_KEYS_FILE']) output.note(`${TEXTS.keyFile[language]} ${known['NETA_API_KEYS_FILE']}`);
  if (known['NETA_API_KEYS'] || known['NETA_API_KEYS_FILE']) return undefined;
  const key = { name: NO_KEY.includes(keyName) ? DEFAULT_KEY_NAME : keyName, secret: createKeySecret() };
  const file = join(directory, 'secrets', 'api-keys');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${key.name}:${key.secret}:default:${ALL_SCOPES.join('+')}\n`, { mode: 0o600 });
  await changeEnvFile(directory, { NETA_API_KEYS_FILE: file });
  // Said now, because the model may fail before the report shows the key.
  output.note(`${TEXTS.keyFile[language]} ${file}`);
  return key;
}

interface FirstCallers {
  /** Absent: no key. */
  keyName: string | undefined;
  /** Absent: no account. */
  email: string | undefined;
}

interface Tried extends Omit<OnboardReport, 'directory' | 'url' | 'account'> {
  /** That of the link which makes the first account. */
  token: string | undefined;
}

/** Starts the gateway for a moment, to connect the model, to look at the sandbox and to make the key and the link of the first account. */
async function trySettings(step: Step, { keyName, email }: FirstCallers): Promise<Tried> {
  const { directory, env, options, language } = step;
  const gateway = await startSetupGateway(directory, env);
  try {
    reachDirectly(gateway.url, env);
    const client = new NetaClient({ url: gateway.url, locale: language, retries: RETRIES, apiKey: gateway.key });
    const [baseUrl, api, keyEnv, model] = ['base-url', 'api', 'key-env', 'model'].map(name => text(options[name]));
    const connected = await connectModel({ ...step, client }, { baseUrl, api, keyEnv, model });
    const { sandbox } = await client.request('get', '/api/v1/info');
    const key = keyName === undefined || NO_KEY.includes(keyName) ? undefined : await makeFirstKey(step, client, keyName);
    const token = email === undefined ? undefined : await inviteFirst(step, client, email);
    return { model: connected, sandbox, key, token };
  } finally {
    await gateway.stop();
  }
}

/** Makes the key when the gateway has none. */
async function makeFirstKey({ output, language }: Step, client: NetaClient, name: string): Promise<OnboardReport['key']> {
  const { data } = await client.request('get', '/api/v1/api-keys');
  if (data.some(({ source }) => source === 'stored')) {
    output.note(TEXTS.keysExist[language], 'dim');
    return undefined;
  }
  const { secret = '' } = await client.request('post', '/api/v1/api-keys', { body: { name, scopes: [...ALL_SCOPES] } });
  return { name, secret };
}

/** Resolves with the token of the invitation; undefined when there are accounts already. */
async function inviteFirst({ output, language }: Step, client: NetaClient, email: string): Promise<string | undefined> {
  const { data } = await client.request('get', '/api/v1/people');
  if (data.length > 0) {
    output.note(TEXTS.accountsExist[language], 'dim');
    return undefined;
  }
  const { url } = await client.request('post', '/api/v1/invitations', { body: { role: 'operator', email } });
  return new URL(url).hash.replace('#invitation=', '');
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
