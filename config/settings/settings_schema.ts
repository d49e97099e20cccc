/** Every setting of the gateway: one row for each variable of the environment. `npm run docs:settings` makes the tables of the docs from it. */
import { type Static, Type } from '@sinclair/typebox';
import { CHATS, REACH } from './chat_settings';
import { HELPER_MODELS } from './helper_model_settings';
import { LOGS } from './log_settings';
import { MAIL } from './mail_settings';
import { MODEL_TIMES } from './model_time_settings';
import { RETENTION } from './retention_settings';
import { SERVER } from './server_settings';
import { flag, headerKey, httpAddress, integer, list, oneOf, text, textOr } from './setting_types';

const DAY_MS = 86_400_000;

const MODEL = {
  ...REACH,
  OPENAI_API_KEY: headerKey({
    section: 'model',
    isCommon: true,
    en: 'key of the model server; without this and `OPENAI_BASE_URL` the demo answers, a script and not an AI',
    zh: '模型服务的密钥；它和 `OPENAI_BASE_URL` 都没有时，由演示脚本应答，不是 AI',
  }),
  OPENAI_BASE_URL: httpAddress('OPENAI_BASE_URL', 'http://127.0.0.1:8000/v1', {
    section: 'model',
    isCommon: true,
    en: "any OpenAI-compatible server, usually ending with `/v1`; left out: OpenAI's own",
    zh: '任何 OpenAI 兼容的服务，通常以 `/v1` 结尾；省略时为 OpenAI 官方',
  }),
  NETA_MODEL: textOr('gpt-5-mini', {
    section: 'model',
    isCommon: true,
    en: 'name of the model; an agent profile may name another one',
    zh: '模型名称；智能体档案可以另外指定',
  }),
  NETA_MODEL_IMAGES: flag({
    section: 'model',
    en: '1: the model of `NETA_MODEL` can see [images](docs/guides/models.md#images); 0: it gets a line of text for each',
    zh: '1：`NETA_MODEL` 的模型能看[图片](docs/guides/models.zh-CN.md#图片)；0：每张图片只给它一行文字',
  }),
  ...MODEL_TIMES,
  ...HELPER_MODELS,
  NETA_CONTEXT_TOKENS: integer(
    { minimum: 1_024, maximum: 10_000_000, default: 128_000 },
    {
      section: 'model',
      isCommon: true,
      en: 'context window of the model in tokens, with its answer; what does not fit is [summarised](docs/guides/long-conversations.md) or left out',
      zh: '模型的上下文窗口（token 数，含回答）；放不下的内容会被[写成摘要](docs/guides/long-conversations.zh-CN.md)或不再发送',
    },
  ),
  NETA_COMPACT_AT: integer(
    { minimum: 0, maximum: 95, default: 75 },
    {
      section: 'model',
      en: 'percentage of the context window from which on the model [summarises older turns](docs/guides/long-conversations.md); 0: never, older turns are left out',
      zh: '请求达到上下文窗口的百分之多少时，由模型[为较早的轮次写摘要](docs/guides/long-conversations.zh-CN.md)；0 表示从不，较早的轮次不再发送',
    },
  ),
  ...CHATS,
  NETA_MAX_CONTEXT_MESSAGES: integer(
    { minimum: 2, maximum: 100_000, default: 400 },
    {
      section: 'model',
      en: 'messages of history that go to the model; when there are more, older turns are summarised, or cut as a whole',
      zh: '发给模型的历史消息数；超出时，较早的轮次写成摘要，或按整轮舍去',
    },
  ),
};

const RUNS = {
  NETA_MAX_TOOL_ITERATIONS: integer(
    { minimum: 1, maximum: 1_000, default: 25 },
    { section: 'runs', en: 'model calls with tools in one run', zh: '一次运行中带工具的模型调用次数' },
  ),
  NETA_RUN_TIMEOUT_MS: integer(
    { minimum: 1_000, maximum: DAY_MS, default: 1_800_000 },
    {
      section: 'runs',
      en: 'timeout of a run in milliseconds; waiting for a person does not count',
      zh: '一次运行的超时时间，单位为毫秒；等待人回答的时间不计入',
    },
  ),
  NETA_MAX_CONCURRENT_RUNS: integer(
    { minimum: 1, maximum: 100_000, default: 256 },
    {
      section: 'runs',
      en: 'runs that execute at once, including those that wait for a person; further runs are queued',
      zh: '同时执行的运行数，包括正在等人回答的；超出的运行排队等待',
    },
  ),
  NETA_MAX_QUEUED_RUNS: integer(
    { minimum: 1, maximum: 1_000_000, default: 1_000 },
    { section: 'runs', en: 'runs in the queue; further runs get `rate_limited`', zh: '排队等待的运行数；超出时返回 `rate_limited`' },
  ),
  NETA_MAX_READERS: integer(
    { minimum: 1, maximum: 1_000_000, default: 2_000 },
    {
      section: 'runs',
      en: 'readers that follow runs at once, over both doors; further readers get `rate_limited`',
      zh: '两个入口上同时订阅运行的读者数；超出时返回 `rate_limited`',
    },
  ),
  NETA_TOOL_BUDGET: integer(
    { minimum: 1, maximum: 1_000, default: 40 },
    {
      section: 'runs',
      en: 'tools that a run gets; when an agent may have more, those of MCP servers and manifests are chosen by relevance ([tools](docs/guides/tools.md))',
      zh: '一次运行得到的工具数；智能体可用的更多时，按相关性挑选 MCP 服务器和清单的工具（[工具](docs/guides/tools.zh-CN.md)）',
    },
  ),
  NETA_TOOL_BUDGET_TOKENS: integer(
    { minimum: 500, maximum: 1_000_000, default: 16_000 },
    { section: 'runs', en: 'the same for the estimated tokens of their schemas', zh: '同上，按工具模式的估算 token 数计' },
  ),
  NETA_TOOL_CACHE_TTL_MS: integer(
    { minimum: 0, maximum: DAY_MS, default: 300_000 },
    {
      section: 'runs',
      en: 'how long results of reading tools are cached, in milliseconds; 0: no cache',
      zh: '读取类工具的结果缓存多久，单位为毫秒；0 表示不缓存',
    },
  ),
  NETA_TOOL_TRIES: integer(
    { minimum: 1, maximum: 10, default: 3 },
    {
      section: 'runs',
      en: 'tries of a tool call that only reads or can be repeated, the first one included',
      zh: '只读或可重复的工具调用最多尝试几次，含第一次',
    },
  ),
  NETA_TOOL_RETRY_MS: integer(
    { minimum: 0, maximum: 60_000, default: 200 },
    {
      section: 'runs',
      en: 'pause before the second try, in milliseconds; it doubles before each further one, with a jitter of 50 %',
      zh: '第二次尝试之前的间隔，单位为毫秒；之后每次加倍，并随机浮动 50 %',
    },
  ),
};

const QUESTIONS = {
  NETA_CLARIFY_TIMEOUT_MS: integer(
    { minimum: 50, maximum: DAY_MS, default: 20_000 },
    {
      section: 'questions',
      en: 'how long a question waits for an answer, in milliseconds, for clients that do not declare `clarify@1`',
      zh: '客户端没有声明 `clarify@1` 时，问题等待回答多久，单位为毫秒',
    },
  ),
  NETA_CLARIFY_TIMEOUT_DECLARED_MS: integer(
    { minimum: 50, maximum: DAY_MS, default: 300_000 },
    {
      section: 'questions',
      en: 'the same for clients that declare it, such as the page, for REST callers that wait, and for approvals',
      zh: '同上，适用于声明了它的客户端（例如网页）、选择等待的 REST 调用方和审批',
    },
  ),
};

const COMMANDS = {
  NETA_SANDBOX: oneOf(['auto', 'bubblewrap', 'namespaces', 'landlock', 'none'], {
    section: 'commands',
    isCommon: true,
    en: 'sandbox of commands; `auto` takes the strongest one that works ([sandbox](docs/guides/operate.md#sandbox)); `landlock` is not offered',
    zh: '命令的沙箱；`auto` 选用可用的最强一种（[沙箱](docs/guides/operate.zh-CN.md#沙箱)）；不提供 `landlock`',
  }),
  NETA_SHELL_PROCESSES: integer(
    { minimum: 8, maximum: 1_000_000, default: 512 },
    { section: 'commands', en: 'processes and threads of one command', zh: '一条命令的进程和线程数' },
  ),
  NETA_SHELL_MEMORY_MB: integer(
    { minimum: 32, maximum: 1_048_576, default: 2_048 },
    { section: 'commands', en: 'memory of all processes of one command together, in MiB', zh: '一条命令所有进程合计的内存，单位为 MiB' },
  ),
  NETA_SHELL_CPU_SECONDS: integer(
    { minimum: 1, maximum: 86_400, default: 1_800 },
    { section: 'commands', en: 'CPU time of one process, in seconds', zh: '单个进程的 CPU 时间，单位为秒' },
  ),
  NETA_SHELL_FILE_MB: integer(
    { minimum: 1, maximum: 1_048_576, default: 1_024 },
    { section: 'commands', en: 'size of one written file, in MiB', zh: '单个写入文件的大小，单位为 MiB' },
  ),
  NETA_SHELL_TIME_MS: integer(
    { minimum: 100, maximum: 600_000, default: 600_000 },
    { section: 'commands', en: 'longest timeout of a command, in milliseconds', zh: '一条命令的最长超时时间，单位为毫秒' },
  ),
  NETA_SHELL_OUTPUT_KB: integer(
    { minimum: 1, maximum: 256, default: 256 },
    { section: 'commands', en: 'output of a command that is kept, in KiB', zh: '一条命令保留的输出量，单位为 KiB' },
  ),
};

const WEB = {
  NETA_FETCH_TIMEOUT_MS: integer(
    { minimum: 1_000, maximum: 40_000, default: 15_000 },
    {
      section: 'web',
      en: 'time limit for one web page, redirects and body included, in milliseconds',
      zh: '读取一个网页的时间限制，含重定向和正文，单位为毫秒',
    },
  ),
  NETA_FETCH_USER_AGENT: textOr(
    'Mozilla/5.0 (compatible; neta-gateway)',
    { section: 'web', en: 'the header User-Agent of requests for web pages', zh: '读取网页时的 User-Agent 请求头' },
    { format: 'header-text', refusal: 'NETA_FETCH_USER_AGENT must consist of printable ASCII characters.' },
  ),
  NETA_FETCH_ALLOW: list(
    'host-and-port',
    'NETA_FETCH_ALLOW: {value} is not host:port; write entries such as 127.0.0.1:8080 or wiki.internal:443.',
    {
      section: 'web',
      isCommon: true,
      en: 'private addresses that web tools may reach: `host:port` entries, separated by commas',
      zh: '网络工具可以访问的内网地址，写成 `host:port`，用逗号分隔',
    },
  ),
  NETA_WEBHOOK_ALLOW: list(
    'host-and-port',
    'NETA_WEBHOOK_ALLOW: {value} is not host:port; write entries such as 127.0.0.1:8080 or hooks.internal:443.',
    {
      section: 'web',
      en: 'private addresses that webhooks and push notifications may reach: `host:port` entries, separated by commas',
      zh: 'webhook 和推送通知可以发往的内网地址，写成 `host:port`，用逗号分隔',
    },
  ),
  NETA_SEARXNG_URL: httpAddress('NETA_SEARXNG_URL', 'http://127.0.0.1:8888', {
    section: 'web',
    isCommon: true,
    en: 'SearXNG server, the first of the search services; with no service set, a search says so',
    zh: 'SearXNG 服务器，搜索服务中最先尝试；一个服务都没有设置时，搜索会如实说明',
  }),
  BRAVE_API_KEY: headerKey({
    section: 'web',
    isCommon: true,
    en: 'key of Brave, the second search service',
    zh: 'Brave 的密钥，第二个尝试的搜索服务',
  }),
  TAVILY_API_KEY: headerKey({
    section: 'web',
    isCommon: true,
    en: 'key of Tavily, the third search service',
    zh: 'Tavily 的密钥，第三个尝试的搜索服务',
  }),
  NETA_SEARCH_DUCKDUCKGO: flag({
    section: 'web',
    isCommon: true,
    en: "1: DuckDuckGo's HTML page as the last search service, without a key",
    zh: '1：最后用 DuckDuckGo 的 HTML 页面搜索，不需要密钥',
  }),
  NETA_OPEN_METEO_URL: httpAddress('NETA_OPEN_METEO_URL', 'http://127.0.0.1:8080', {
    section: 'web',
    en: 'your own Open-Meteo server for `get_weather`; a private address must be in `NETA_FETCH_ALLOW` too',
    zh: '`get_weather` 使用的自有 Open-Meteo 服务器；内网地址还须写入 `NETA_FETCH_ALLOW`',
  }),
  NETA_WEATHER_SIMULATED: flag({
    section: 'web',
    en: '1: `get_weather` returns invented answers, marked as simulated',
    zh: '1：`get_weather` 返回模拟数据，并标明是模拟',
  }),
};

const TESTS = {
  NETA_DEBUG_POINTS: text({
    section: 'tests',
    en: '[failpoints](docs/reliability.md) that crash, delay, block or fail the process, or `@` and a file of them; the start prints them, and `NODE_ENV=production` refuses them',
    zh: '[故障点](docs/reliability.md)，会让进程崩溃、延迟、阻塞或失败，也可以是 `@` 加一个写有它们的文件；启动时会打印出来，`NODE_ENV=production` 时拒绝启动',
  }),
  NETA_FAILPOINTS_IN_PRODUCTION: flag({
    section: 'tests',
    en: '1: failpoints are allowed with `NODE_ENV=production`',
    zh: '1：`NODE_ENV=production` 时也允许故障点',
  }),
};

export const SettingsSchema = Type.Object({
  ...SERVER,
  ...MAIL,
  ...MODEL,
  ...RUNS,
  ...QUESTIONS,
  ...COMMANDS,
  ...WEB,
  ...RETENTION,
  ...LOGS,
  ...TESTS,
});

/** The settings as the environment names them, checked. */
export type SettingValues = Static<typeof SettingsSchema>;
