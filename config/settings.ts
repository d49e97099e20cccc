/** Settings of the gateway, read from the environment. The only place that does. A bad value throws a SettingError with one clear sentence. */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { holds, realPathOf } from './real_path';

export interface Settings {
  port: number;
  host: string;
  dataDir: string;
  workspace: string;
  configDir: string;
  locale: 'en' | 'zh-CN';
  /** Origins of pages elsewhere that may use the gateway, as browsers send them. */
  origins: string[];
  /** Undefined: the demo model. */
  openai?: { apiKey: string; baseUrl?: string; model: string };
  maxToolIterations: number;
  maxContextMessages: number;
  /** Context window of the model in tokens, with its answer. */
  contextTokens: number;
  runTimeoutMs: number;
  /** How long results of reading tools are kept; 0 = not at all. */
  toolCacheTtlMs: number;
  limits: {
    /** Readers that follow runs over any door. */
    readers: number;
    /** Runs that this process executes at once, those that wait for a person included; more wait in line. */
    concurrentRuns: number;
    /** Runs that wait in line. */
    queuedRuns: number;
  };
  clarify: {
    /** For clients that did not declare clarify@1. */
    timeoutMs: number;
    /** For clients that did, and for REST callers that chose to wait. */
    declaredTimeoutMs: number;
    /** How long a question that was handed over as text stays open. */
    textTimeoutMs: number;
  };
  web: {
    /** host:port entries that web tools may reach although private. */
    fetchAllow: string[];
    /** Search services, tried in this order; none: searching says how to set one up. */
    searxngUrl?: string;
    braveApiKey?: string;
    tavilyApiKey?: string;
    duckDuckGo: boolean;
  };
  weather: {
    /** get_weather makes its answers up, and says so. */
    isSimulated: boolean;
    /** An Open-Meteo server of one's own; absent: the public one. */
    openMeteoUrl?: string;
  };
  /** Failpoints: where a test crashes, delays, blocks or fails this process; see adapter/local/failpoints.ts. */
  failpoints?: string;
  /** The sandbox that commands run in; `auto`: the strongest that works on this machine. */
  sandbox: (typeof SANDBOX_CHOICES)[number];
  /** What the commands of tools are held to; port/shell.ts says what each limit means. */
  shell: { processes: number; memoryBytes: number; cpuSeconds: number; fileBytes: number; outputBytes: number; timeMs: number };
  /** What the commands of tools see of this environment. */
  toolEnvironment: Record<string, string>;
}

export class SettingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const DAY_MS = 86_400_000;
const MEBIBYTE = 1024 * 1024;
const DEFAULT_PORT = 7001;
const DEFAULT_MODEL = 'gpt-5-mini';
const SANDBOX_CHOICES = ['auto', 'bubblewrap', 'namespaces', 'landlock', 'none'] as const;
const TOOL_ENVIRONMENT = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

/** Reads and checks all settings. Relative directories start at `root`, the directory of package.json. */
export function readSettings(env: Environment, root: string): Settings {
  const directory = (name: string, fallback: string): string => {
    const value = env[name]?.trim() || fallback;
    return isAbsolute(value) ? value : resolve(root, value);
  };
  const configDir = directory('NETA_CONFIG_DIR', './config');
  if (!existsSync(configDir)) throw new SettingError(`NETA_CONFIG_DIR: there is no directory ${configDir}.`);
  const dataDir = directory('NETA_DATA_DIR', './data');
  const workspace = directory('NETA_WORKSPACE', './workspace');
  assertApart(workspace, { configDir, dataDir, root });
  return {
    port: integer(env, 'PORT', DEFAULT_PORT, { min: 0, max: 65_535 }),
    host: readHost(env),
    dataDir,
    workspace,
    configDir,
    locale: oneOf(env, 'NETA_LOCALE', ['en', 'zh-CN']),
    origins: readOrigins(env),
    ...readModel(env),
    maxToolIterations: integer(env, 'NETA_MAX_TOOL_ITERATIONS', 25, { min: 1, max: 1_000 }),
    maxContextMessages: integer(env, 'NETA_MAX_CONTEXT_MESSAGES', 400, { min: 2, max: 100_000 }),
    contextTokens: integer(env, 'NETA_CONTEXT_TOKENS', 128_000, { min: 1_024, max: 10_000_000 }),
    runTimeoutMs: integer(env, 'NETA_RUN_TIMEOUT_MS', 30 * 60_000, { min: 1_000, max: DAY_MS }),
    toolCacheTtlMs: integer(env, 'NETA_TOOL_CACHE_TTL_MS', 300_000, { min: 0, max: DAY_MS }),
    limits: {
      readers: integer(env, 'NETA_MAX_READERS', 2_000, { min: 1, max: 1_000_000 }),
      concurrentRuns: integer(env, 'NETA_MAX_CONCURRENT_RUNS', 256, { min: 1, max: 100_000 }),
      queuedRuns: integer(env, 'NETA_MAX_QUEUED_RUNS', 1_000, { min: 1, max: 1_000_000 }),
    },
    clarify: {
      timeoutMs: integer(env, 'NETA_CLARIFY_TIMEOUT_MS', 20_000, { min: 50, max: DAY_MS }),
      declaredTimeoutMs: integer(env, 'NETA_CLARIFY_TIMEOUT_DECLARED_MS', 300_000, { min: 50, max: DAY_MS }),
      textTimeoutMs: DAY_MS,
    },
    web: readWeb(env),
    sandbox: oneOf(env, 'NETA_SANDBOX', SANDBOX_CHOICES),
    shell: readShell(env),
    weather: readWeather(env),
    ...readFailpoints(env),
    toolEnvironment: Object.fromEntries(TOOL_ENVIRONMENT.flatMap(name => (env[name] ? [[name, env[name]]] : []))),
  };
}

/** The agent may change everything in its workspace, so its own rules, its database and its program must lie elsewhere. */
function assertApart(workspace: string, { configDir, dataDir, root }: { configDir: string; dataDir: string; root: string }): void {
  const place = realPathOf(workspace);
  if (holds(place, realPathOf(root))) {
    throw new SettingError(
      `NETA_WORKSPACE: ${workspace} holds the gateway itself, which the agent could change: choose another directory.`,
    );
  }
  for (const [name, path] of [['NETA_CONFIG_DIR', configDir] as const, ['NETA_DATA_DIR', dataDir] as const]) {
    const other = realPathOf(path);
    if (!holds(place, other) && !holds(other, place)) continue;
    throw new SettingError(
      `NETA_WORKSPACE: ${workspace} and ${name} (${path}) must lie apart, or the agent could change what is in the latter.`,
    );
  }
}

function readModel(env: Environment): Pick<Settings, 'openai'> {
  const apiKey = env['OPENAI_API_KEY']?.trim();
  const baseUrl = env['OPENAI_BASE_URL']?.trim();
  if (!apiKey && !baseUrl) return {};
  if (baseUrl && !/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new SettingError('OPENAI_BASE_URL must be an http or https address, such as http://127.0.0.1:8000/v1.');
  }
  const model = env['NETA_MODEL']?.trim() || DEFAULT_MODEL;
  // Local servers need no key, but the client insists on one.
  return { openai: { apiKey: apiKey || 'none', ...(baseUrl && { baseUrl }), model } };
}

function readFailpoints(env: Environment): Pick<Settings, 'failpoints'> {
  const failpoints = env['NETA_DEBUG_POINTS']?.trim();
  if (!failpoints) return {};
  if (env['NODE_ENV'] === 'production' && env['NETA_FAILPOINTS_IN_PRODUCTION'] !== '1') {
    throw new SettingError(
      'NETA_DEBUG_POINTS arms failpoints, which can end this process: unset it, or set NETA_FAILPOINTS_IN_PRODUCTION=1 to allow it with NODE_ENV=production.',
    );
  }
  return { failpoints };
}

function readWeb(env: Environment): Settings['web'] {
  const text = (name: string) => env[name]?.trim() || undefined;
  const searxngUrl = text('NETA_SEARXNG_URL');
  if (searxngUrl && !isHttpAddress(searxngUrl)) {
    throw new SettingError('NETA_SEARXNG_URL must be an http or https address, such as http://127.0.0.1:8888.');
  }
  const braveApiKey = text('BRAVE_API_KEY');
  const tavilyApiKey = text('TAVILY_API_KEY');
  const fetchAllow = (env['NETA_FETCH_ALLOW'] ?? '').split(',').flatMap(entry => entry.trim() || []);
  const wrong = fetchAllow.find(entry => !isHostAndPort(entry));
  if (wrong)
    throw new SettingError(`NETA_FETCH_ALLOW: ${wrong} is not host:port; write entries such as 127.0.0.1:8080 or wiki.internal:443.`);
  const own = fetchAllow.find(entry => isOwnDoor(entry, integer(env, 'PORT', DEFAULT_PORT, { min: 0, max: 65_535 })));
  if (own) throw new SettingError(`NETA_FETCH_ALLOW: ${own} is this gateway, whose sessions and approvals its agent must not reach.`);
  return {
    fetchAllow,
    ...(searxngUrl && { searxngUrl }),
    ...(braveApiKey && { braveApiKey }),
    ...(tavilyApiKey && { tavilyApiKey }),
    duckDuckGo: oneOf(env, 'NETA_SEARCH_DUCKDUCKGO', ['0', '1']) === '1',
  };
}

function readShell(env: Environment): Settings['shell'] {
  return {
    processes: integer(env, 'NETA_SHELL_PROCESSES', 512, { min: 8, max: 1_000_000 }),
    memoryBytes: integer(env, 'NETA_SHELL_MEMORY_MB', 2_048, { min: 32, max: 1_048_576 }) * MEBIBYTE,
    cpuSeconds: integer(env, 'NETA_SHELL_CPU_SECONDS', 1_800, { min: 1, max: 86_400 }),
    fileBytes: integer(env, 'NETA_SHELL_FILE_MB', 1_024, { min: 1, max: 1_048_576 }) * MEBIBYTE,
    outputBytes: integer(env, 'NETA_SHELL_OUTPUT_KB', 256, { min: 1, max: 256 }) * 1024,
    timeMs: integer(env, 'NETA_SHELL_TIME_MS', 600_000, { min: 100, max: 600_000 }),
  };
}

function readOrigins(env: Environment): string[] {
  const origins = (env['NETA_ORIGINS'] ?? '').split(',').flatMap(entry => entry.trim() || []);
  const wrong = origins.find(entry => !/^https?:/.test(entry) || !URL.canParse(entry) || new URL(entry).origin !== entry);
  if (wrong === undefined) return origins;
  throw new SettingError(`NETA_ORIGINS: ${wrong} is not an origin; write scheme, host and port alone, such as https://chat.example.com.`);
}

function readWeather(env: Environment): Settings['weather'] {
  const openMeteoUrl = env['NETA_OPEN_METEO_URL']?.trim();
  if (openMeteoUrl && !isHttpAddress(openMeteoUrl)) {
    throw new SettingError('NETA_OPEN_METEO_URL must be an http or https address, such as http://127.0.0.1:8080.');
  }
  const isSimulated = oneOf(env, 'NETA_WEATHER_SIMULATED', ['0', '1']) === '1';
  return { isSimulated, ...(openMeteoUrl && { openMeteoUrl }) };
}

const isHttpAddress = (text: string): boolean => /^https?:\/\/[^/]/.test(text) && URL.canParse(text);

function isHostAndPort(entry: string): boolean {
  const [, host = '', port = ''] = /^(\[[^\]/?#@]+\]|[^:/?#@\s]+):(\d{1,5})$/.exec(entry) ?? [];
  return host !== '' && URL.canParse(`http://${host}`) && Number(port) >= 1 && Number(port) <= 65_535;
}

const LOOPBACK_HOST = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

function isOwnDoor(entry: string, port: number): boolean {
  const { hostname } = new URL(`http://${entry}`);
  return LOOPBACK_HOST.test(hostname) && Number(entry.slice(entry.lastIndexOf(':') + 1)) === port;
}

function readHost(env: Environment): string {
  const host = env['HOST']?.trim() || '127.0.0.1';
  if (host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)) return host;
  throw new SettingError(`HOST=${host} is not a loopback address, and without authentication only loopback is allowed: use 127.0.0.1.`);
}

function integer(env: Environment, name: string, fallback: number, range: { min: number; max: number }): number {
  const text = env[name]?.trim();
  if (!text) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= range.min && value <= range.max) return value;
  throw new SettingError(`${name}=${text} must be a whole number from ${range.min} to ${range.max}.`);
}

function oneOf<const T extends string>(env: Environment, name: string, allowed: readonly [T, ...T[]]): T {
  const text = env[name]?.trim();
  if (!text) return allowed[0];
  const found = allowed.find(value => value === text);
  if (found) return found;
  throw new SettingError(`${name}=${text} must be one of ${allowed.join(', ')}.`);
}
