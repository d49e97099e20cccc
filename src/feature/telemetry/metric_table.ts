/** Every metric of the gateway: its name, labels and texts. docs/guides/metrics.md is made from it. */
import type { Bilingual } from '../../utils/bilingual';
import { ATTRIBUTES, BUCKETS, METRIC_NAMES, toLabel } from './semconv';

export interface MetricRow {
  type: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  /** Upper bounds, ascending. Histograms alone have them. */
  buckets?: readonly number[];
  help: Bilingual;
}

const counter = <const L extends readonly string[]>(labels: L, en: string, zh: string) =>
  ({ type: 'counter', labels, help: { en, 'zh-CN': zh } }) as const;
const gauge = <const L extends readonly string[]>(labels: L, en: string, zh: string) =>
  ({ type: 'gauge', labels, help: { en, 'zh-CN': zh } }) as const;
const histogram = <const L extends readonly string[]>(labels: L, buckets: readonly number[], ...[en, zh]: [en: string, zh: string]) =>
  ({ type: 'histogram', labels, buckets, help: { en, 'zh-CN': zh } }) as const;

const OPERATION = toLabel(ATTRIBUTES.operationName);
const PROVIDER = toLabel(ATTRIBUTES.providerName);
const MODEL = toLabel(ATTRIBUTES.requestModel);
const AGENT = toLabel(ATTRIBUTES.agentName);
const ERROR = toLabel(ATTRIBUTES.errorType);

const WAITS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];
const PEOPLE = [1, 2, 5, 10, 20, 60, 120, 300, 900, 3_600];
const ITERATIONS = [1, 2, 3, 5, 8, 13, 21, 34, 55];
const DOLLARS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];
const BYTES = [64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
const CONTEXT = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 1_000_000];
const OFFERED = [0, 5, 10, 15, 20, 30, 40, 60, 80, 128];

/** Metrics of the OpenTelemetry semantic conventions. */
const STANDARD = {
  [METRIC_NAMES.httpServerRequestDuration]: histogram(
    [toLabel(ATTRIBUTES.httpMethod), toLabel(ATTRIBUTES.httpRoute), toLabel(ATTRIBUTES.httpStatus), ERROR],
    BUCKETS.http,
    'HTTP requests, until the answer has ended; event streams last as long as their readers. Paths without a route have the route `other`',
    'HTTP 请求，到响应结束为止；事件流持续到读者离开。没有路由的路径记为 `other`',
  ),
  [METRIC_NAMES.invokeAgentDuration]: histogram(
    [AGENT, ERROR],
    BUCKETS.agent,
    'Runs, from their start to their stored end; time in the queue is left out',
    '运行，从开始到结束已存储；不含排队时间',
  ),
  [METRIC_NAMES.clientOperationDuration]: histogram(
    [OPERATION, PROVIDER, MODEL, ERROR],
    BUCKETS.operation,
    'Calls of models and of the embedding model, retries included',
    '模型和嵌入模型的调用，含重试',
  ),
  [METRIC_NAMES.clientTimeToFirstChunk]: histogram(
    [PROVIDER, MODEL],
    BUCKETS.operation,
    'Time until the first part of an answer, be it text or a tool call',
    '到回答的第一部分（文本或工具调用）为止的时间',
  ),
  [METRIC_NAMES.clientTokenUsage]: histogram(
    [OPERATION, PROVIDER, MODEL, toLabel(ATTRIBUTES.tokenType)],
    BUCKETS.tokens,
    'Tokens of one call of a model or of the embedding model',
    '一次模型或嵌入模型调用的 token 数',
  ),
  [METRIC_NAMES.executeToolDuration]: histogram(
    [toLabel(ATTRIBUTES.toolName), toLabel(ATTRIBUTES.toolType), ERROR],
    BUCKETS.operation,
    'Tool calls; the wait for an approval is left out',
    '工具调用；不含等待批准的时间',
  ),
  [METRIC_NAMES.mcpClientOperationDuration]: histogram(
    [toLabel(ATTRIBUTES.mcpMethod), ERROR],
    BUCKETS.mcp,
    'Requests to MCP servers',
    '发往 MCP 服务器的请求',
  ),
} as const;

const RUNS = {
  neta_runs_total: counter(
    ['door', 'agent', 'outcome', 'reason'],
    'Runs that ended; `reason` says why a run is incomplete',
    '已结束的运行；`reason` 说明未完成的原因',
  ),
  neta_runs_active: gauge(
    ['door', 'state'],
    'Runs that have not ended; `queued` counts all processes on the store',
    '尚未结束的运行；`queued` 计入使用同一存储的所有进程',
  ),
  neta_runs_stuck: gauge([], 'Runs without an event for 60 s that wait for no person', '60 秒没有事件且不在等待人的运行'),
  neta_run_queue_wait_seconds: histogram(['door'], WAITS, 'Time from the acceptance of a run to its start', '运行从被接受到开始的时间'),
  neta_run_first_event_seconds: histogram(
    ['door'],
    BUCKETS.operation,
    'Time from the acceptance of a run to the first part of an answer',
    '运行从被接受到回答的第一部分的时间',
  ),
  neta_run_iterations: histogram(['agent'], ITERATIONS, 'Model calls of a run, without summaries', '一次运行的模型调用次数，不含摘要'),
  neta_run_cancel_seconds: histogram(
    ['phase'],
    BUCKETS.operation,
    'Time from the request to cancel a run to its end',
    '从请求取消运行到其结束的时间',
  ),
  neta_run_cost_usd: histogram(['agent'], DOLLARS, 'Cost of a run whose price is known', '价格已知的运行的费用'),
  neta_events_appended_total: counter([], 'Events that were stored', '已存储的事件'),
} as const;

const DOORS = {
  neta_ws_connections: gauge(['namespace', 'transport'], 'Open Socket.IO connections', '打开的 Socket.IO 连接'),
  neta_ws_connects_total: counter(['result'], 'Socket.IO connections that were accepted or rejected', '被接受或拒绝的 Socket.IO 连接'),
  neta_ws_disconnects_total: counter(['reason'], 'Socket.IO connections that ended', '已结束的 Socket.IO 连接'),
  neta_ws_resume_total: counter(
    ['result'],
    'Readers that came back with a cursor: `replayed` got what they missed, `resync` a snapshot, `expired` an error',
    '带游标回来的读者：`replayed` 补发，`resync` 得到快照，`expired` 得到错误',
  ),
  neta_ws_events_total: counter(['direction', 'event'], 'Messages from clients and events to them', '来自客户端的消息和发给客户端的事件'),
  neta_ws_send_buffer_bytes: gauge([], 'Bytes that wait to be sent to Socket.IO clients', '等待发给 Socket.IO 客户端的字节数'),
  neta_sse_streams: gauge(['route'], 'Open event streams', '打开的事件流'),
  neta_idempotency_total: counter(['result'], 'Runs that were requested with an idempotency key', '带幂等键请求的运行'),
  neta_rate_limited_total: counter(['scope', 'policy'], 'Requests that a limit refused', '被限额拒绝的请求'),
  neta_auth_failures_total: counter(
    ['door', 'reason'],
    'Requests without a valid key, or without the scope',
    '没有有效密钥或缺少权限的请求',
  ),
  neta_webhook_deliveries_total: counter(['event', 'result'], 'Tries to deliver an event to a webhook', '向 webhook 投递事件的尝试'),
  neta_webhook_delivery_seconds: histogram(
    ['event', 'result'],
    BUCKETS.http,
    'Tries to deliver an event to a webhook',
    '向 webhook 投递事件的尝试',
  ),
  neta_push_deliveries_total: counter(['kind', 'result'], 'Tries to send a push notification', '发送推送通知的尝试'),
  neta_webhook_pending: gauge([], 'Deliveries that wait, up to 10,000', '等待中的投递，最多计到 10,000'),
} as const;

const MODELS = {
  neta_model_tokens_total: counter(
    ['provider', 'model', 'type', 'agent'],
    'Tokens of models. `input` leaves out `cache_read`, `output` leaves out `reasoning`',
    '模型的 token 数。`input` 不含 `cache_read`，`output` 不含 `reasoning`',
  ),
  neta_model_cost_usd_total: counter(
    ['provider', 'model', 'agent'],
    'Cost of model calls whose price is known',
    '价格已知的模型调用的费用',
  ),
  neta_model_calls_unpriced_total: counter(['provider', 'model'], 'Model calls without a known price', '价格未知的模型调用'),
  neta_model_usage_missing_total: counter(
    ['provider', 'model'],
    'Answers for which the server reported no tokens',
    '服务器没有报告 token 数的回答',
  ),
  neta_model_retries_total: counter(
    ['provider', 'model', 'reason'],
    'Requests that were sent again after an error',
    '出错后重新发送的请求',
  ),
  neta_model_fallbacks_total: counter(
    ['from_model', 'to_model', 'reason'],
    'Calls that another model answered instead',
    '改由其他模型应答的调用',
  ),
  neta_model_rate_limited_total: counter(
    ['provider', 'model'],
    'Answers of a model server that it is overloaded or that a rate is used up',
    '模型服务器回答过载或速率已用完',
  ),
  neta_model_raw_tool_calls_total: counter(['model', 'action'], 'Tool calls that a model wrote as text', '模型写成文本的工具调用'),
  neta_tool_args_total: counter(['model', 'result'], 'Arguments of tool calls, as the model wrote them', '模型写出的工具参数'),
  neta_context_tokens: histogram(['agent'], CONTEXT, 'Input tokens of a model call', '一次模型调用的输入 token 数'),
  neta_context_compactions_total: counter(
    ['agent', 'reason'],
    'Summaries that replaced older turns; `failed` ones did not',
    '取代较早对话的摘要；`failed` 表示未成功',
  ),
  neta_tools_offered: histogram(['agent'], OFFERED, 'Tools in the request of a model call', '一次模型调用中提供的工具数'),
  neta_budget_used_ratio: gauge(
    ['scope'],
    'The most used daily budget of any key or tenant, 1 is all of it',
    '任一密钥或租户用得最多的每日额度，1 表示全部用完',
  ),
  neta_budget_blocks_total: counter(
    ['scope'],
    'Runs that a budget ended, and requests that a daily budget refused',
    '因预算结束的运行和因每日额度被拒绝的请求',
  ),
} as const;

const TOOLS = {
  neta_tool_calls_total: counter(['tool', 'toolset', 'outcome'], 'Tool calls that ended', '已结束的工具调用'),
  neta_tool_running: gauge(['tool'], 'Tool calls in progress', '进行中的工具调用'),
  neta_tool_cache_total: counter(
    ['tool', 'result'],
    'Calls whose result may be reused: `hit` reused one, `miss` ran',
    '结果可以复用的调用：`hit` 复用，`miss` 执行',
  ),
  neta_tool_duplicates_total: counter(
    ['tool', 'scope'],
    'Calls that repeat an earlier one, of the same answer or of the session',
    '重复的调用：同一回答之内，或会话之内',
  ),
  neta_tool_retries_total: counter(['tool'], 'Tries of calls after the first', '调用在首次之后的重试'),
  neta_tool_result_bytes: histogram(['tool'], BYTES, 'Size of results before they are truncated', '截断之前的结果大小'),
  neta_tool_result_truncated_total: counter(['tool'], 'Results that were truncated for the model', '为模型截断的结果'),
  neta_patch_matches_total: counter(['strategy', 'outcome'], 'Patches by the way in which the text was found', '按查找方式统计的补丁'),
  neta_sandbox_denied_total: counter(['reason'], 'Calls that the rules of the workspace refused', '被工作区规则拒绝的调用'),
  neta_ssrf_blocked_total: counter(['reason'], 'Web requests to addresses that are not public', '访问非公开地址的网络请求'),
  neta_mcp_servers: gauge(['state'], 'MCP servers by state', '各状态的 MCP 服务器'),
  neta_mcp_reconnects_total: counter(['server'], 'Connections to a server after the first', '首次之后与服务器的重新连接'),
} as const;

const PEOPLE_ROWS = {
  neta_subagents_total: counter(['outcome'], 'Runs that a master delegated', '主智能体委派的运行'),
  neta_escalations_total: counter([], 'Questions of crew members to their master', '成员向主智能体提出的问题'),
  neta_clarify_total: counter(
    ['door', 'outcome'],
    'Clarifications by their end; `degraded` was asked as text, `late` came after the end',
    '澄清问题的结局；`degraded` 以文本提出，`late` 是迟到的回答',
  ),
  neta_clarify_wait_seconds: histogram(['door'], PEOPLE, 'Time until a clarification ended', '到澄清问题结束为止的时间'),
  neta_approvals_total: counter(['tool', 'decision'], 'Decisions about tool calls', '对工具调用的决定'),
  neta_feedback_total: counter(
    ['rating', 'agent', 'model'],
    'Ratings of answers by people; a changed rating counts again, one that is taken back stays counted',
    '人对回答的评价；更改后的评价再次计数，收回的仍然计入',
  ),
  neta_human_pending: gauge(['kind'], 'Questions that wait for a person, up to 10,000', '等待人回答的问题，最多计到 10,000'),
  neta_human_oldest_seconds: gauge(['kind'], 'Age of the oldest question that waits', '等待最久的问题的时长'),
} as const;

const STATE = {
  neta_store_operation_duration_seconds: histogram(
    ['store', 'op', 'result'],
    BUCKETS.http,
    'Transactions, until they are durable',
    '事务，到持久化为止',
  ),
  neta_store_size_bytes: gauge(['store'], 'Size of the database', '数据库的大小'),
  neta_backup_age_seconds: gauge(
    [],
    'Age of the newest verified backup; absent without one',
    '最新的已校验备份距今的时长；没有备份时不出现',
  ),
  neta_jobs_total: counter(['outcome'], 'Runs of jobs that ended', '已结束的任务运行'),
  neta_jobs_overdue: gauge([], 'Jobs that are more than two minutes late, up to 10,000', '迟到两分钟以上的任务，最多计到 10,000'),
  neta_migrations_pending: gauge([], 'Migrations that the database does not have', '数据库尚未执行的迁移'),
  neta_ready: gauge(['check'], '1: the check of /readyz passes', '1 表示 /readyz 的检查通过'),
  neta_config_reloads_total: counter(['file', 'result'], 'Configuration files that were read again', '重新读取的配置文件'),
  neta_metrics_series_dropped_total: counter(
    [],
    'Observations that were dropped because a metric has too many label sets',
    '因标签组合过多而丢弃的观测',
  ),
  neta_build_info: gauge(['version', 'node', 'midway', 'schema'], 'Always 1', '恒为 1'),
} as const;

/**
 * The sections of the documentation, in its order.
 * @public scripts/metric_docs.mjs reads it in the build.
 */
export const METRIC_SECTIONS = {
  standard: { title: { en: 'Standard names', 'zh-CN': '标准名称' }, rows: STANDARD },
  runs: { title: { en: 'Runs', 'zh-CN': '运行' }, rows: RUNS },
  doors: { title: { en: 'Doors', 'zh-CN': '接入' }, rows: DOORS },
  models: { title: { en: 'Models and money', 'zh-CN': '模型与费用' }, rows: MODELS },
  tools: { title: { en: 'Tools', 'zh-CN': '工具' }, rows: TOOLS },
  people: { title: { en: 'People and crew', 'zh-CN': '人与成员' }, rows: PEOPLE_ROWS },
  state: { title: { en: 'State and process', 'zh-CN': '状态与进程' }, rows: STATE },
} as const;

export const METRICS = { ...STANDARD, ...RUNS, ...DOORS, ...MODELS, ...TOOLS, ...PEOPLE_ROWS, ...STATE };
export type MetricName = keyof typeof METRICS;

export const isGauge = (name: string): name is GaugeName => Object.hasOwn(METRICS, name) && METRICS[name as MetricName].type === 'gauge';

/** One value for each label, in the order of the table. */
export type LabelValues<N extends MetricName> = ValuesOf<(typeof METRICS)[N]['labels']>;
type ValuesOf<L extends readonly string[]> = { readonly [I in keyof L]: string };

type NamesOf<T extends MetricRow['type']> = { [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never }[MetricName];
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;
