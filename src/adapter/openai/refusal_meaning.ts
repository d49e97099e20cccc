/** Finds out what an error of a model server means, from its codes, its words and its status. */
import type { ServerError } from './error_shapes';
import { isOverflow } from './overflow_words';
import { isAboutTools, namesTool } from './tool_refusal';

/** `request`: the server refuses this request for another reason. `unknown`: an error without a status in words that say nothing. */
export type Meaning =
  | 'too_long'
  | 'tool'
  | 'balance'
  | 'key'
  | 'model'
  | 'rate'
  | 'overloaded'
  | 'moved'
  | 'timeout'
  | 'server'
  | 'request'
  | 'unknown';

type Row = readonly [Meaning, RegExp];

/** Meanings of codes and types of errors, the surest first. */
const KINDS: readonly Row[] = [
  ['balance', /insufficient_(?:\w+_)?(?:quota|balance|credit|fund)|billing|payment_required|exceeded_current_quota|arrear/],
  ['rate', /rate_?limit|too_?many_?requests|resource_exhausted|throttl/],
  ['overloaded', /overloaded|unavailable|(?:engine|server)_busy/],
  ['key', /authenti|unauthori|permission|api_key|invalid_token|access_?denied/],
  ['model', /not_found|unknown_model|invalid_model|model_not|decommissioned/],
];

/** A limit of a day or of the account: waiting a few seconds does not help. */
const BALANCE_WORDS =
  /insufficient (?:account )?(?:balance|credit|quota|fund)|(?:out of|not enough|no remaining|insufficient|buy|purchase|add) (?:more )?credits?\b|(?:exceeded|reached|exhausted|out of|over)\b.{0,40}\bquota|quota\b.{0,20}(?:exceeded|exhausted|reached|used up)|\b(?:daily|weekly|monthly)\b.{0,30}\b(?:limit|quota)|billing|payment (?:is )?required|recharge|overdue|arrears|spending limit|余额|欠费|额度|配额|充值|账户.{0,6}(?:停用|冻结)/i;
const WORDS: readonly Row[] = [
  ['balance', BALANCE_WORDS],
  [
    'rate',
    /rate[ _-]?limit|too many (?:\w+ )?requests|requests? per (?:second|minute|hour)|tokens per min|\b(?:qps|rpm|tpm)\b|throttl|slow down|concurrency|限流|限速|频率(?:过|超|限)|频繁|请求过多|并发|速率/i,
  ],
  [
    'overloaded',
    /overloaded|\b(?:server|engine|model|service|system) (?:is )?(?:currently |temporarily )?(?:busy|unavailable|loading)|at capacity|no (?:available|healthy) (?:channel|worker|upstream|instance|backend|server)|temporarily unavailable|try again later|high demand|繁忙|过载|稍后(?:再|重)?试|负载|无可用/i,
  ],
  [
    'key',
    /api[ _-]?key|access[ _-]?token|(?:invalid|incorrect|expired|missing|wrong) (?:token|credential|authentication|authorization)|token (?:is )?(?:invalid|expired)|unauthori[sz]ed|not authori[sz]ed|authentication (?:failed|error|required)|(?:permission|access) denied|密钥|令牌|鉴权|认证|未授权|无权|身份验证/i,
  ],
  [
    'model',
    /\bmodel\b.{0,120}\b(?:not (?:exist|found|available)|does(?: not|n't) exist|no such|decommissioned)|(?:no such|unknown|invalid|unsupported) model\b|not a valid model|模型.{0,40}(?:不存在|未找到|已下线|不可用|无效)/i,
  ],
];
/** Words that also name a field of the request; they count only when no status blames the request. */
const SERVER_WORDS: readonly Row[] = [
  ['timeout', /timed? ?out|deadline exceeded|超时/i],
  ['server', /internal (?:server )?error|upstream|bad gateway|(?:system|unknown) error|内部错误|系统错误|服务异常/i],
];
const LAST_KINDS: readonly Row[] = [
  ['request', /invalid_?request|bad_?request|invalid_?(?:argument|param)|validation|unprocessable/],
  ['timeout', /timeout|deadline_exceeded/],
  ['server', /server_error|internal|upstream|bad_gateway|api_error/],
];

const STATUSES: Readonly<Record<number, Meaning>> = {
  401: 'key',
  402: 'balance',
  403: 'key',
  404: 'model',
  405: 'model',
  408: 'timeout',
  409: 'overloaded',
  425: 'overloaded',
  503: 'overloaded',
  504: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

/** Returns the meaning. `status`: the status of the response or the one that the error names; undefined without one. */
export function meaningOf(error: ServerError, status: number | undefined): Meaning {
  const meaning = firstMeaningOf(error, status);
  return (meaning === 'request' || meaning === 'unknown') && isAboutTools(error) ? 'tool' : meaning;
}

function firstMeaningOf(error: ServerError, status: number | undefined): Meaning {
  const { kind, words } = error;
  if (status !== undefined && status < 400) return 'moved';
  const blamesRequest = status !== undefined && status < 500;
  if (status !== 429 && namesTool(error)) return 'tool';
  if (isOverflow(error, status)) return 'too_long';
  if (status === 429 && !find(KINDS, kind)) return BALANCE_WORDS.test(words) ? 'balance' : 'rate';
  return (
    find(KINDS, kind) ??
    (status === 402 || status === 403 || status === 404 ? find(WORDS.slice(0, 1), words) : undefined) ??
    (blamesRequest ? STATUSES[status] : undefined) ??
    find(WORDS, words) ??
    (status === undefined ? (find(LAST_KINDS, kind) ?? find(SERVER_WORDS, words) ?? 'unknown') : undefined) ??
    (blamesRequest ? 'request' : (STATUSES[status ?? 0] ?? 'server'))
  );
}

const find = (rows: readonly Row[], text: string): Meaning | undefined => rows.find(([, pattern]) => pattern.test(text))?.[0];
