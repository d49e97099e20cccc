/** Settings of the gateway, read from the environment; no other file reads settings there. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { toBasePath } from '../src/utils/base_path';
import { type ConfiguredApiKey, readApiKeys } from './settings/api_keys';
import { describeSettings, type SettingRow } from './settings/describe_settings';
import { type HelperModels, toHelperModels } from './settings/helper_model_values';
import { homeOf } from './settings/home_folder';
import { type LogSettings, type OtlpSettings, toLog, toOtlp } from './settings/log_values';
import { type MailSettings, toMail } from './settings/mail_values';
import { toModelTimes } from './settings/model_time_settings';
import { isOwnDoor } from './settings/own_door';
import { type Environment, readValues, SettingError } from './settings/read_values';
import { toRetention } from './settings/retention_values';
import { readSecretValue, withSecretFiles } from './settings/secret_files';
import type { SettingValues } from './settings/settings_schema';
import { toWorkspace, type WorkspaceStore } from './settings/workspace_values';
import { decideTimeZone, zoneFacts } from './time_zone/time_zone';

/** The settings in the units that the gateway works in. settings/settings_schema.ts describes each. */
export interface Settings extends HelperModels {
  port: number;
  host: string;
  dataDir: string;
  workspace: string;
  workspaceStore: WorkspaceStore;
  /** Address of the Postgres that holds the store. Absent: a file in `dataDir`. */
  databaseUrl?: string;
  /** Address of a replica of that Postgres, which answers lists. */
  databaseReadUrl?: string;
  /** Address of the Redis that carries messages between gateways. Absent: Postgres carries them. */
  redisUrl?: string;
  /** Absent: the gateway sends no mail. */
  mail?: MailSettings;
  configDir: string;
  /** The gateway shows what it would be, and does nothing by itself: see NETA_REHEARSAL. */
  isRehearsal: boolean;
  /** The directory of package.json. */
  programDir: string;
  locale: SettingValues['NETA_LOCALE'];
  /** Time zone of prompts, of jobs without a zone, and of log lines for people: a name that Intl knows. */
  timeZone: string;
  /** False: the gateway listens on an address that other machines reach. */
  isLoopback: boolean;
  origins: string[];
  apiKeys: readonly ConfiguredApiKey[];
  metricsToken?: string;
  /** Encrypts logins in the store and the summaries of compaction items. Absent: the key in `secret.key` of `dataDir` does. */
  secretKey?: string;
  /** Names of the gateway beside its address. */
  hosts: string[];
  /** Addresses and CIDR ranges whose X-Forwarded-* headers count. */
  trustedProxies: string[];
  /** Such as /agent; '' for the root. */
  basePath: string;
  /** Names of tools that MCP clients may call; a final * stands for any ending. */
  mcpTools: string[];
  /** The model of the settings. Absent for the demo model. Not used when there is a models.yaml. */
  openai?: { apiKey: string; baseUrl?: string; model: string; images?: boolean };
  /** Milliseconds of a model call; models.yaml may have others for a model. */
  modelTimes: ReturnType<typeof toModelTimes>;
  maxToolIterations: number;
  maxContextMessages: number;
  contextTokens: number;
  /** Share of the context window, 0 to 1; 0: older turns are never summarised. */
  compactAt: number;
  /** Links to chats may need no login. */
  publicShares: boolean;
  /** Operators may read private chats of people. */
  readsPrivateChats: boolean;
  /** Says who writes the titles of chats: the model, or the first message. */
  titles: 'model' | 'first_message';
  runTimeoutMs: number;
  toolCacheTtlMs: number;
  /** Retries of calls that only read or can be repeated. */
  toolRetries: { maxTries: number; retryMs: number };
  /** Tools of a run, and tokens of their schemas. */
  toolBudget: { tools: number; tokens: number };
  limits: {
    readers: number;
    concurrentRuns: number;
    queuedRuns: number;
  };
  clarify: {
    timeoutMs: number;
    declaredTimeoutMs: number;
    /** Timeout of a question that a run returned as its answer. */
    textTimeoutMs: number;
  };
  web: {
    fetchAllow: string[];
    webhookAllow: string[];
    /** Tells push services whom to ask about this gateway: an address that begins with mailto: or https:. */
    pushContact: string;
    fetchTimeoutMs: number;
    userAgent: string;
    searxngUrl?: string;
    braveApiKey?: string;
    tavilyApiKey?: string;
    duckDuckGo: boolean;
  };
  weather: {
    isSimulated: boolean;
    /** Absent for the public Open-Meteo server. */
    openMeteoUrl?: string;
  };
  /** Days; 0: for ever. */
  retention: ReturnType<typeof toRetention>;
  /** Armed failpoints, in the syntax of adapter/local/node/failpoints.ts. */
  failpoints?: string;
  log: LogSettings;
  /** Absent: no traces are sent. */
  otlp?: OtlpSettings;
  sandbox: SettingValues['NETA_SANDBOX'];
  /** Limits of one command; port/shell.ts says what each means. */
  shell: { processes: number; memoryBytes: number; cpuSeconds: number; fileBytes: number; outputBytes: number; timeMs: number };
  /** The variables of this environment that commands get. */
  toolEnvironment: Record<string, string>;
  /** Sentences about settings that the gateway had to interpret, for operators. */
  warnings: readonly string[];
  /** Returns a secret that a configuration file names, such as `apiKeyEnv` of models.yaml, also from the file of `<name>_FILE`. Throws a SettingError. */
  readSecret: (name: string) => string | undefined;
  /** Returns the value of any other variable that a configuration file names. */
  readVariable: (name: string) => string | undefined;
  /** Lists every setting with its value and source, without secrets. */
  listSettings: () => SettingRow[];
}

const DAY_MS = 86_400_000;
const MEBIBYTE = 1024 * 1024;
const OWN_SECRETS: ReadonlySet<string> = new Set([
  'NETA_API_KEYS',
  'NETA_METRICS_TOKEN',
  'NETA_SECRET_KEY',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'NETA_SMTP_URL',
]);
const TOOL_ENVIRONMENT = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

/**
 * Reads and checks all settings. Relative paths start at NETA_HOME, or at `root`, the directory of package.json. Throws a SettingError with one
 * sentence that names the variable.
 */
export function readSettings(given: Environment, root: string): Settings {
  const at = (path: string): string => resolve(homeOf(given, root), path);
  const env = withSecretFiles(given, at('.'));
  const values = readValues(env);
  const [configDir, dataDir] = [at(values.NETA_CONFIG_DIR), at(values.NETA_DATA_DIR)];
  if (!existsSync(configDir)) throw new SettingError(`NETA_CONFIG_DIR: there is no directory ${configDir}.`);
  const { timeZone, warning } = decideTimeZone(zoneFacts(env['TZ']));
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    ...toWorkspace(values, { at, root, configDir, dataDir }),
    databaseUrl: values.DATABASE_URL || undefined,
    databaseReadUrl: toReadUrl(values),
    redisUrl: toRedisUrl(values),
    mail: toMail(values),
    configDir,
    programDir: root,
    locale: values.NETA_LOCALE,
    timeZone,
    warnings: warning === undefined ? [] : [warning],
    isLoopback: isLoopback(values.HOST),
    origins: values.NETA_ORIGINS,
    apiKeys: toApiKeys(values),
    metricsToken: values.NETA_METRICS_TOKEN || undefined,
    secretKey: toSecretKey(values),
    hosts: values.NETA_HOSTS,
    trustedProxies: values.NETA_TRUST_PROXY,
    basePath: toBasePath(values.NETA_BASE_PATH) ?? '',
    mcpTools: values.NETA_MCP_TOOLS,
    ...toModel(values),
    modelTimes: toModelTimes(values),
    ...toHelperModels(values),
    maxToolIterations: values.NETA_MAX_TOOL_ITERATIONS,
    maxContextMessages: values.NETA_MAX_CONTEXT_MESSAGES,
    contextTokens: values.NETA_CONTEXT_TOKENS,
    compactAt: values.NETA_COMPACT_AT / 100,
    isRehearsal: values.NETA_REHEARSAL === '1',
    ...toChats(values),
    runTimeoutMs: values.NETA_RUN_TIMEOUT_MS,
    toolCacheTtlMs: values.NETA_TOOL_CACHE_TTL_MS,
    toolRetries: { maxTries: values.NETA_TOOL_TRIES, retryMs: values.NETA_TOOL_RETRY_MS },
    toolBudget: { tools: values.NETA_TOOL_BUDGET, tokens: values.NETA_TOOL_BUDGET_TOKENS },
    limits: { readers: values.NETA_MAX_READERS, concurrentRuns: values.NETA_MAX_CONCURRENT_RUNS, queuedRuns: values.NETA_MAX_QUEUED_RUNS },
    clarify: {
      timeoutMs: values.NETA_CLARIFY_TIMEOUT_MS,
      declaredTimeoutMs: values.NETA_CLARIFY_TIMEOUT_DECLARED_MS,
      textTimeoutMs: DAY_MS,
    },
    web: toWeb(values),
    retention: toRetention(values),
    log: { ...toLog(values, { dataDir, env }), timeZone },
    ...toOtlp(values),
    sandbox: values.NETA_SANDBOX,
    shell: toShell(values),
    weather: { isSimulated: values.NETA_WEATHER_SIMULATED === '1', openMeteoUrl: values.NETA_OPEN_METEO_URL || undefined },
    ...toFailpoints(values, env['NODE_ENV'] === 'production'),
    toolEnvironment: Object.fromEntries(TOOL_ENVIRONMENT.flatMap(name => (env[name] ? [[name, env[name]]] : []))),
    // A file must not hand the keys of this gateway to a server.
    listSettings: () => describeSettings(env),
    readSecret: name => (OWN_SECRETS.has(name) ? undefined : readSecretValue(given, name, at('.'))),
    readVariable: name => (OWN_SECRETS.has(name) ? undefined : given[name]?.trim() || undefined),
  };
}

const toChats = (values: SettingValues) => ({
  publicShares: values.NETA_PUBLIC_SHARES === '1',
  readsPrivateChats: values.NETA_READ_PRIVATE_CHATS === '1',
  titles: values.NETA_TITLES,
});

const MIN_SECRET_KEY = 32;

function toSecretKey({ NETA_SECRET_KEY }: SettingValues): string | undefined {
  if (!NETA_SECRET_KEY || NETA_SECRET_KEY.length >= MIN_SECRET_KEY) return NETA_SECRET_KEY || undefined;
  throw new SettingError(`NETA_SECRET_KEY has fewer than ${MIN_SECRET_KEY} characters: make one, such as with openssl rand -base64 32.`);
}

/** Throws without the primary, which writes. */
function toReadUrl({ DATABASE_READ_URL, DATABASE_URL }: SettingValues): string | undefined {
  if (DATABASE_READ_URL && !DATABASE_URL)
    throw new SettingError('DATABASE_READ_URL needs DATABASE_URL: it names a replica of that database.');
  return DATABASE_READ_URL || undefined;
}

/** Throws without a database that gateways share: they tell each other what is in it. */
function toRedisUrl({ REDIS_URL, DATABASE_URL }: SettingValues): string | undefined {
  if (REDIS_URL && !DATABASE_URL)
    throw new SettingError('REDIS_URL needs DATABASE_URL: it carries messages between gateways on one Postgres.');
  return REDIS_URL || undefined;
}

/** Throws when another machine could reach the gateway and no key would limit who may use it. */
function toApiKeys({ HOST, NETA_API_KEYS, NETA_ORIGINS }: SettingValues): ConfiguredApiKey[] {
  const keys = readApiKeys(NETA_API_KEYS);
  const missing = [...(keys.length === 0 ? ['NETA_API_KEYS'] : []), ...(NETA_ORIGINS.length === 0 ? ['NETA_ORIGINS'] : [])];
  if (isLoopback(HOST) || missing.length === 0) return keys;
  throw new SettingError(
    `HOST=${HOST} is not a loopback address, so other machines could reach the gateway: set ${missing.join(' and ')}, or use HOST=127.0.0.1.`,
  );
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function toModel(values: SettingValues): Pick<Settings, 'openai'> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, NETA_MODEL: model, NETA_MODEL_IMAGES } = values;
  if (!apiKey && !baseUrl) return {};
  // Local servers need no key, but the client insists on a key.
  return { openai: { apiKey: apiKey || 'none', baseUrl: baseUrl || undefined, model, images: NETA_MODEL_IMAGES === '1' || undefined } };
}

function toFailpoints(values: SettingValues, isProduction: boolean): Pick<Settings, 'failpoints'> {
  const failpoints = values.NETA_DEBUG_POINTS;
  if (!failpoints) return {};
  if (isProduction && values.NETA_FAILPOINTS_IN_PRODUCTION !== '1') {
    throw new SettingError(
      'NETA_DEBUG_POINTS arms failpoints, which can end this process: unset it, or set NETA_FAILPOINTS_IN_PRODUCTION=1 to allow it with NODE_ENV=production.',
    );
  }
  return { failpoints };
}

function toWeb(values: SettingValues): Settings['web'] {
  const { NETA_FETCH_ALLOW: fetchAllow, NETA_WEBHOOK_ALLOW: webhookAllow } = values;
  const own = fetchAllow.find(entry => isOwnDoor(entry, values.PORT));
  if (own) throw new SettingError(`NETA_FETCH_ALLOW: ${own} is this gateway, whose sessions and approvals its agent must not reach.`);
  return {
    fetchAllow,
    webhookAllow,
    pushContact: values.NETA_PUSH_CONTACT,
    fetchTimeoutMs: values.NETA_FETCH_TIMEOUT_MS,
    userAgent: values.NETA_FETCH_USER_AGENT,
    searxngUrl: values.NETA_SEARXNG_URL || undefined,
    braveApiKey: values.BRAVE_API_KEY || undefined,
    tavilyApiKey: values.TAVILY_API_KEY || undefined,
    duckDuckGo: values.NETA_SEARCH_DUCKDUCKGO === '1',
  };
}

function toShell(values: SettingValues): Settings['shell'] {
  return {
    processes: values.NETA_SHELL_PROCESSES,
    memoryBytes: values.NETA_SHELL_MEMORY_MB * MEBIBYTE,
    cpuSeconds: values.NETA_SHELL_CPU_SECONDS,
    fileBytes: values.NETA_SHELL_FILE_MB * MEBIBYTE,
    outputBytes: values.NETA_SHELL_OUTPUT_KB * 1024,
    timeMs: values.NETA_SHELL_TIME_MS,
  };
}
