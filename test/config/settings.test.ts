import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSettings } from '../../config/settings';
import { SettingError } from '../../config/settings/read_values';
import { SettingsSchema } from '../../config/settings/settings_schema';

const ROOT = join(__dirname, '../..');

describe('settings', () => {
  it('have defaults that serve this machine alone, with the demo model', () => {
    const settings = readSettings({}, ROOT);
    expect(settings).toMatchObject({
      port: 7001,
      host: '127.0.0.1',
      dataDir: join(ROOT, 'data'),
      workspace: join(ROOT, 'workspace'),
      locale: 'en',
      maxToolIterations: 25,
      toolCacheTtlMs: 300_000,
      limits: { readers: 2_000, concurrentRuns: 256, queuedRuns: 1_000 },
      clarify: { timeoutMs: 20_000, declaredTimeoutMs: 300_000 },
    });
    expect(settings.openai).toBeUndefined();
  });

  it('take the model from the environment; a server without a key is enough', () => {
    expect(readSettings({ OPENAI_API_KEY: 'k', NETA_MODEL: 'm' }, ROOT).openai).toEqual({ apiKey: 'k', model: 'm' });
    expect(readSettings({ OPENAI_API_KEY: 'k', NETA_MODEL_IMAGES: '1' }, ROOT).openai).toMatchObject({ images: true });
    const local = readSettings({ OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' }, ROOT).openai;
    expect(local).toMatchObject({ baseUrl: 'http://127.0.0.1:8000/v1', apiKey: expect.any(String) });
  });

  it('count blank values as absent', () => {
    expect(readSettings({ PORT: ' ', NETA_LOCALE: '', OPENAI_API_KEY: ' ' }, ROOT)).toMatchObject({ port: 7001, locale: 'en' });
  });

  it('reach no private address and no search service unless told', () => {
    expect(readSettings({}, ROOT).web).toEqual({
      fetchAllow: [],
      fetchTimeoutMs: 15_000,
      pushContact: 'mailto:admin@example.com',
      userAgent: 'Mozilla/5.0 (compatible; neta-gateway)',
      webhookAllow: [],
      duckDuckGo: false,
    });
    const env = { NETA_FETCH_ALLOW: ' 127.0.0.1:8080, [::1]:9000 ,', BRAVE_API_KEY: 'b', NETA_SEARCH_DUCKDUCKGO: '1' };
    expect(readSettings(env, ROOT).web).toMatchObject({ fetchAllow: ['127.0.0.1:8080', '[::1]:9000'], braveApiKey: 'b', duckDuckGo: true });
    const fetched = readSettings({ NETA_FETCH_TIMEOUT_MS: '2000', NETA_FETCH_USER_AGENT: 'reader/1.0' }, ROOT).web;
    expect(fetched).toMatchObject({ fetchTimeoutMs: 2_000, userAgent: 'reader/1.0' });
    expect(() => readSettings({ NETA_FETCH_USER_AGENT: 'a\nb' }, ROOT)).toThrow('printable ASCII');
  });

  it('give tools nothing of the environment but what a shell needs', () => {
    const env = { PATH: '/bin', LANG: 'C', OPENAI_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    expect(readSettings(env, ROOT).toolEnvironment).toEqual({ PATH: '/bin', LANG: 'C' });
  });

  it('take failpoints, but in production only when they are allowed there', () => {
    const armed = { NETA_DEBUG_POINTS: 'run_end=delay:1' };
    expect(readSettings(armed, ROOT).failpoints).toBe('run_end=delay:1');
    const production = { ...armed, NODE_ENV: 'production' };
    expect(() => readSettings(production, ROOT)).toThrow('unset it, or set NETA_FAILPOINTS_IN_PRODUCTION=1');
    expect(readSettings({ ...production, NETA_FAILPOINTS_IN_PRODUCTION: '1' }, ROOT).failpoints).toBe('run_end=delay:1');
    expect(readSettings({ NODE_ENV: 'production' }, ROOT)).not.toHaveProperty('failpoints');
  });

  it('take lower limits for the time and the output of commands', () => {
    const { shell } = readSettings({ NETA_SHELL_TIME_MS: '5000', NETA_SHELL_OUTPUT_KB: '16' }, ROOT);
    expect(shell).toMatchObject({ timeMs: 5_000, outputBytes: 16 * 1024 });
  });

  it.each([
    ['NETA_SHELL_TIME_MS', '600001', 'NETA_SHELL_TIME_MS=600001 must be a whole number from 100 to 600000.'],
    ['NETA_SHELL_OUTPUT_KB', '257', 'NETA_SHELL_OUTPUT_KB=257 must be a whole number from 1 to 256.'],
    ['NETA_SANDBOX', 'docker', 'NETA_SANDBOX=docker must be one of auto, bubblewrap, namespaces, landlock, none.'],
    ['PORT', 'http', 'PORT=http must be a whole number from 0 to 65535.'],
    ['PORT', '70000', 'PORT=70000 must be a whole number from 0 to 65535.'],
    ['HOST', '0.0.0.0', 'HOST=0.0.0.0 is not a loopback address'],
    [
      'HOST',
      '127.0.0.1.example.com',
      'is not a loopback address, so other machines could reach the gateway: set NETA_API_KEYS and NETA_ORIGINS',
    ],
    ['NETA_API_KEYS', 'ci', 'NETA_API_KEYS, item 1: it must be name:secret:tenant:scope+scope.'],
    [
      'NETA_API_KEYS',
      'my.app:secret-0123456789',
      'NETA_API_KEYS, item 1: the name must have 1 to 60 letters, digits, underscores or hyphens; it is a part of the id of the key.',
    ],
    ['NETA_API_KEYS', 'a:0123456789abcdef,ci:short', 'NETA_API_KEYS, item 2 (ci): the secret must have at least 16 characters.'],
    ['NETA_API_KEYS', 'ci:0123456789abcdef:t:chat+root', 'NETA_API_KEYS, item 1 (ci): the scopes must be of chat,'],
    ['NETA_API_KEYS', 'local:0123456789abcdef', 'NETA_API_KEYS, item 1 (local): local stands for callers without a key'],
    ['NETA_API_KEYS', 'a:0123456789abcdef,a:0123456789abcdeg', 'NETA_API_KEYS, item 2 (a): the name is used twice.'],
    ['OPENAI_BASE_URL', 'localhost', 'OPENAI_BASE_URL must be an http or https address'],
    ['OPENAI_API_KEY', 'sk-1\nsk-2', 'OPENAI_API_KEY has the character U+000A at position 5, which no key has'],
    ['NETA_EMBEDDING_API_KEY', 'sk-密钥', 'NETA_EMBEDDING_API_KEY has the character U+5BC6 at position 4, which no key has'],
    ['NETA_MAX_TOOL_ITERATIONS', '0', 'NETA_MAX_TOOL_ITERATIONS=0 must be a whole number from 1 to 1000.'],
    ['NETA_MAX_CONTEXT_MESSAGES', '1.5', 'NETA_MAX_CONTEXT_MESSAGES=1.5 must be a whole number'],
    ['NETA_CLARIFY_TIMEOUT_MS', '-5', 'NETA_CLARIFY_TIMEOUT_MS=-5 must be a whole number'],
    ['NETA_FETCH_ALLOW', 'wiki.internal', 'NETA_FETCH_ALLOW: wiki.internal is not host:port'],
    ['NETA_FETCH_ALLOW', '127.0.0.1:80,http://x:80', 'NETA_FETCH_ALLOW: http://x:80 is not host:port'],
    ['NETA_FETCH_ALLOW', 'a:0', 'NETA_FETCH_ALLOW: a:0 is not host:port'],
    ['NETA_FETCH_ALLOW', 'wiki.internal:443, localhost:7001', 'NETA_FETCH_ALLOW: localhost:7001 is this gateway'],
    ['NETA_ORIGINS', 'chat.example.com', 'NETA_ORIGINS: chat.example.com is not an origin'],
    ['NETA_ORIGINS', 'https://chat.example.com/', 'NETA_ORIGINS: https://chat.example.com/ is not an origin'],
    ['NETA_ORIGINS', '*', 'NETA_ORIGINS: * is not an origin'],
    ['NETA_SEARXNG_URL', 'localhost:8888', 'NETA_SEARXNG_URL must be an http or https address'],
    ['NETA_OPEN_METEO_URL', 'weather.internal', 'NETA_OPEN_METEO_URL must be an http or https address'],
    ['NETA_SEARCH_DUCKDUCKGO', 'yes', 'NETA_SEARCH_DUCKDUCKGO=yes must be one of 0, 1.'],
    ['DATABASE_READ_URL', 'postgres://db/neta', 'DATABASE_READ_URL needs DATABASE_URL: it names a replica of that database.'],
    ['REDIS_URL', 'http://redis', 'REDIS_URL must be an address of Redis, such as redis://:password@redis.example.com:6379.'],
    ['REDIS_URL', 'redis://:secret@redis:6379', 'REDIS_URL needs DATABASE_URL: it carries messages between gateways on one Postgres.'],
    [
      'NETA_SMTP_URL',
      'https://mail',
      'NETA_SMTP_URL must be an address of an SMTP server, such as smtp://user:password@mail.example.com:587.',
    ],
    ['NETA_SMTP_URL', 'smtp://user:secret@mail', 'NETA_SMTP_URL needs NETA_MAIL_FROM: the address from which the gateway sends.'],
    ['NETA_MAIL_FROM', 'Neta', 'NETA_MAIL_FROM must be an address such as neta@example.com or Neta <neta@example.com>.'],
    ['NETA_LOCALE', 'xx', 'NETA_LOCALE=xx must be one of en, zh-CN.'],
    ['NETA_CONFIG_DIR', '/nowhere', 'NETA_CONFIG_DIR: there is no directory /nowhere.'],
  ])('%s=%s is refused with a sentence that names it', (name, value, sentence) => {
    const read = () => readSettings({ [name]: value }, ROOT);
    expect(read).toThrow(SettingError);
    expect(read).toThrow(sentence);
  });

  it('name every key a secret, and quote no secret in an error', () => {
    const secrets = Object.entries(SettingsSchema.properties).filter(([, schema]) => schema['isSecret']);
    expect(secrets.map(([name]) => name)).toEqual([
      'DATABASE_URL',
      'DATABASE_READ_URL',
      'REDIS_URL',
      'NETA_API_KEYS',
      'NETA_METRICS_TOKEN',
      'NETA_SECRET_KEY',
      'NETA_SMTP_URL',
      'OPENAI_API_KEY',
      'NETA_EMBEDDING_API_KEY',
      'NETA_TRANSCRIPTION_API_KEY',
      'BRAVE_API_KEY',
      'TAVILY_API_KEY',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ]);
    for (const [, schema] of secrets) {
      // The usual sentence about a refused value quotes it.
      if ('format' in schema || 'pattern' in schema) expect(schema['refusal']).toMatch(/^(?!.*\{value\})/);
    }
    const read = () => readSettings({ DATABASE_URL: 'mysql://neta:secret-0123456789@127.0.0.1/neta' }, ROOT);
    expect(read).toThrow('DATABASE_URL must be an address of Postgres');
    expect(read).not.toThrow('secret-0123456789');
  });

  describe('keep the workspace apart from configuration, data and program', () => {
    let home: string;
    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'neta-settings-'));
      for (const name of ['config', 'data', 'project']) await mkdir(join(home, name));
      await symlink(join(home, 'data'), join(home, 'project/link'));
    });
    afterAll(() => rm(home, { recursive: true, force: true }));

    const read = (workspace: string) =>
      readSettings({ NETA_CONFIG_DIR: join(home, 'config'), NETA_DATA_DIR: join(home, 'data'), NETA_WORKSPACE: workspace }, ROOT);

    it.each([
      ['holds both', () => home, 'NETA_CONFIG_DIR'],
      ['is the config directory', () => join(home, 'config'), 'NETA_CONFIG_DIR'],
      ['will lie inside the data directory, through a symlink', () => join(home, 'project/link/not/yet'), 'NETA_DATA_DIR'],
      ['is the checkout of the gateway', () => ROOT, 'holds the gateway itself'],
      ['holds the checkout of the gateway', () => dirname(ROOT), 'holds the gateway itself'],
      ['is everything', () => '/', 'holds the gateway itself'],
    ])('refuses a workspace that %s', (_, workspace, sentence) => {
      expect(() => read(workspace())).toThrow(SettingError);
      expect(() => read(workspace())).toThrow(sentence);
    });

    it('accepts a project, and a directory whose name only begins like the data directory', () => {
      expect(read(join(home, 'project')).workspace).toBe(join(home, 'project'));
      expect(read(join(home, 'data-of-mine')).workspace).toBe(join(home, 'data-of-mine'));
    });
  });
});
