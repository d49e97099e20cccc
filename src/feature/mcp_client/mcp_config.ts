/** Reads config/mcp.yaml. A mistake concerns its own server alone: the server becomes an entry with the problem, and the other servers work. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile } from '../../port/config_files';
import type { McpLogin, McpTarget } from '../../port/mcp';
import { DEFAULT_TENANT } from '../../port/principal';
import { checkConfigFile, refuseInvisibleText } from '../../service/config_file_check';
import type { ToolEffect } from '../../tools/common';
import { fingerprintOf } from '../../utils/fingerprint';
import { closedObject, Optional } from '../../utils/schema_types';
import { TENANT_NAME } from '../../utils/tenant_name';
import { type Expansion, expand, expandAll, looksSecret, placesOf, type Variables } from './config_variables';

export interface McpServerConfig {
  name: string;
  target: McpTarget;
  /** Names of the tools that the gateway takes, as the server names them. Absent: every tool that `deny` does not name. */
  allow?: readonly string[];
  deny: readonly string[];
  /** Tools that are offered in every run of the agents that may have them: all, or those with these names of the server. */
  always: boolean | readonly string[];
  effect: ToolEffect;
  /** Time limit of one call. */
  timeoutMs: number;
  /** The tenants that have its tools. Absent: every tenant. */
  tenants?: readonly string[];
  /** A text that is equal for equal configurations, with the values of their variables. */
  version: string;
}

/** One server of the file. */
export type McpEntry = { name: string; transport: McpTarget['kind'] } & (
  | { kind: 'usable'; config: McpServerConfig }
  | { kind: 'disabled' }
  | { kind: 'broken'; problem: string }
);

export interface McpFile {
  entries: McpEntry[];
  /** Why the file as a whole cannot be used; there are no entries then. */
  problem?: string;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 3_600_000;
const MAX_SERVERS = 50;
/** The name begins the names of its tools: `<name>__<tool>`, of at most 64 characters. */
const SERVER_NAME = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

const texts = (maxLength: number) => Type.Record(Type.String(), Type.String({ maxLength }), { maxProperties: 100 });
const toolNames = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 500, uniqueItems: true });
const COMMON = {
  allow: Type.Optional(toolNames),
  deny: Type.Optional(toolNames),
  always: Optional.Union([Type.Boolean(), toolNames]),
  effect: Optional.OneOf(['read', 'idempotent', 'write', 'external']),
  timeoutMs: Optional.Integer({ minimum: 100, maximum: MAX_TIMEOUT_MS }),
  enabled: Optional.Boolean(),
  tenants: Optional.Union([
    Type.Literal('all'),
    Type.Array(Type.String({ pattern: TENANT_NAME.source }), { minItems: 1, maxItems: 1_000, uniqueItems: true }),
  ]),
};
const StdioServer = closedObject({
  command: Type.String({ minLength: 1, maxLength: 1_000 }),
  args: Optional.Array(Type.String({ maxLength: 10_000 }), { maxItems: 100 }),
  env: Type.Optional(texts(10_000)),
  sandbox: Optional.Boolean(),
  ...COMMON,
});
const OAuth = closedObject({
  clientId: Optional.String({ minLength: 1, maxLength: 500 }),
  clientSecret: Optional.String({ minLength: 1, maxLength: 1_000 }),
  scope: Optional.String({ minLength: 1, maxLength: 1_000 }),
  issuer: Optional.String({ minLength: 1, maxLength: 2_000 }),
});
const HttpServer = closedObject({
  url: Type.String({ minLength: 1, maxLength: 2_000 }),
  headers: Type.Optional(texts(10_000)),
  oauth: Optional.Union([Type.Boolean(), OAuth]),
  ...COMMON,
});
const McpYaml = closedObject({
  servers: Optional.Union([Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_SERVERS }), Type.Null()]),
});

const checkStdio = TypeCompiler.Compile(StdioServer);
const checkHttp = TypeCompiler.Compile(HttpServer);
const checkFile = TypeCompiler.Compile(McpYaml);

/** Never throws: a mistake is in the result. */
export function readMcpFile(file: ConfigFile, variables: Variables): McpFile {
  try {
    refuseInvisibleText(file);
    const { servers } = checkConfigFile(file, checkFile, 'a list of servers') as Static<typeof McpYaml>;
    return { entries: Object.keys(servers ?? {}).map(name => readServer(serverPart(file, name), name, variables)) };
  } catch (thrown) {
    return { entries: [], problem: messageOf(thrown) };
  }
}

/** The part of the file about one server, with the line numbers of the whole. */
function serverPart(file: ConfigFile, name: string): ConfigFile {
  const { servers } = file.value as { servers: Record<string, unknown> };
  return { name: file.name, value: servers[name], problem: (pointer, message) => file.problem(`/servers/${name}${pointer}`, message) };
}

function readServer(part: ConfigFile, name: string, variables: Variables): McpEntry {
  const has = (key: string): boolean => typeof part.value === 'object' && part.value !== null && key in part.value;
  const transport = has('url') ? 'http' : 'stdio';
  try {
    if (!SERVER_NAME.test(name))
      throw part.problem('', 'the name must have 1 to 32 letters, digits, - and _, begin with a letter or digit, and hold no __');
    if (has('url') === has('command')) throw part.problem('', 'needs either command or url');
    const config = transport === 'http' ? readHttp(part, name, variables) : readStdio(part, name, variables);
    return config ? { name, transport, kind: 'usable', config } : { name, transport, kind: 'disabled' };
  } catch (thrown) {
    return { name, transport, kind: 'broken', problem: messageOf(thrown) };
  }
}

/** Returns undefined for a server that is turned off: its variables need not exist. */
function readStdio(part: ConfigFile, name: string, variables: Variables): McpServerConfig | undefined {
  const server = checkConfigFile(part, checkStdio, 'a server') as Static<typeof StdioServer>;
  if (server.enabled === false) return undefined;
  const secrets: string[] = [];
  const env = expandAll(part, '/env', server.env ?? {}, { variables, secrets });
  const place = (pointer: string, text: string) => expand(part, pointer, text, { variables: placesOf(variables), secrets: [] });
  const target: McpTarget = {
    kind: 'stdio',
    command: place('/command', server.command),
    args: (server.args ?? []).map((argument, index) => place(`/args/${index}`, argument)),
    env,
    isSandboxed: server.sandbox ?? false,
    secrets: [...secrets, ...secretsIn(env)],
  };
  return toConfig(name, target, server);
}

function readHttp(part: ConfigFile, name: string, variables: Variables): McpServerConfig | undefined {
  const server = checkConfigFile(part, checkHttp, 'a server') as Static<typeof HttpServer>;
  if (server.enabled === false) return undefined;
  const secrets: string[] = [];
  const url = expand(part, '/url', server.url, { variables, secrets });
  const headers = expandAll(part, '/headers', server.headers ?? {}, { variables, secrets });
  assertUrl(part, url);
  assertHeaders(part, headers);
  const login = readLogin(part, server.oauth, { variables, secrets });
  return toConfig(
    name,
    { kind: 'http', url, headers, login, secrets: [...secrets, ...secretsIn(headers), ...clientSecretOf(login)] },
    server,
  );
}

function readLogin(part: ConfigFile, oauth: Static<typeof HttpServer>['oauth'], expansion: Expansion): McpLogin | undefined {
  if (oauth === undefined || oauth === false) return undefined;
  const { clientId, clientSecret, scope, issuer } = oauth === true ? {} : oauth;
  if (clientId === undefined) return { scope, issuer };
  const secret = clientSecret === undefined ? undefined : expand(part, '/oauth/clientSecret', clientSecret, expansion);
  return { client: { id: expand(part, '/oauth/clientId', clientId, expansion), secret }, scope, issuer };
}

function toConfig(name: string, target: McpTarget, server: Static<typeof StdioServer> | Static<typeof HttpServer>): McpServerConfig {
  const { allow, deny = [], always = false, effect = 'external', timeoutMs = DEFAULT_TIMEOUT_MS } = server;
  // A program of this machine sees the workspace of the default tenant.
  const { tenants = target.kind === 'stdio' ? [DEFAULT_TENANT] : 'all' } = server;
  const config = { name, target, allow, deny, always, effect, timeoutMs, tenants: tenants !== 'all' ? tenants : undefined };
  return { ...config, version: fingerprintOf(config) };
}

/** The values that the file gives under names of secrets, variables put in. */
export const namedSecrets = (target: McpTarget): string[] =>
  target.kind === 'stdio' ? secretsIn(target.env) : [...secretsIn(target.headers), ...clientSecretOf(target.login)];

const clientSecretOf = (login: McpLogin | undefined): string[] => (login?.client?.secret === undefined ? [] : [login.client.secret]);

const secretsIn = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([key, value]) => (looksSecret(key) ? [value] : []));

function assertUrl(part: ConfigFile, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw part.problem('/url', 'must be an http or https address');
  if (url.username !== '' || url.password !== '') throw part.problem('/url', 'must hold no user and password; send them in headers');
}

function assertHeaders(part: ConfigFile, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      const index = value.search(/[^\t\x20-\xff]/u);
      const code = value.codePointAt(index)?.toString(16).toUpperCase().padStart(4, '0');
      const why = index === -1 ? '' : `: its value has the character U+${code} at position ${index + 1}`;
      throw part.problem(`/headers/${name}`, `is not a header that can be sent${why}`);
    }
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
