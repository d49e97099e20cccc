/** Checks config/limits.yaml: what keys and tenants may use. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile } from '../../port/config_files';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';
import { checkConfigFile, refuseInvisibleText } from '../config_file_check';

const closed = { additionalProperties: false };
const count = (minimum: number, maximum: number, text: object) => Optional.Integer({ minimum, maximum, ...text });
const dollars = (text: object) => Optional.Number({ exclusiveMinimum: 0, maximum: 1_000_000, ...text });

const Limits = closedObject({
  requestsPerMinute: count(
    1,
    10_000_000,
    says('HTTP requests and socket messages; beyond: rate_limited', 'HTTP 请求和 socket 消息；超出：rate_limited'),
  ),
  runsPerMinute: count(1, 1_000_000, says('new runs and steering messages; beyond: rate_limited', '新运行和引导消息；超出：rate_limited')),
  concurrentRuns: count(1, 100_000, says('runs at once; further ones wait in the queue', '同时进行的运行；更多的在队列中等待')),
  queuedRuns: count(0, 1_000_000, says('runs in the queue; beyond: rate_limited', '队列中的运行；超出：rate_limited')),
  tokensPerDay: count(
    1,
    1_000_000_000_000,
    says('input and output of a day in UTC; beyond: quota_exceeded', '每个 UTC 日的输入与输出；超出：quota_exceeded'),
  ),
  costPerDayUsd: dollars(says('cost of a day in UTC, of models with a known price', '每个 UTC 日的费用，只计价格已知的模型')),
  maxTokens: count(1, 1_000_000_000, says('one run: input and output of all its model calls', '单个运行：所有模型调用的输入与输出')),
  maxCostUsd: dollars(says('one run: cost of its model calls', '单个运行：模型调用的费用')),
  askAboveUsd: dollars(
    says('one run: a person is asked before a run that will likely cost more', '单个运行：预计费用超过此值时，先询问人'),
  ),
  maxToolCalls: count(
    0,
    100_000,
    says('one run: tool calls; then one answer without tools', '单个运行：工具调用；达到后不带工具再回答一次'),
  ),
  maxToolIterations: count(1, 1_000, says('one run: model calls with tools', '单个运行：带工具的模型调用')),
  timeoutMs: count(
    1_000,
    86_400_000,
    says('one run: milliseconds; waiting for a person does not count', '单个运行：毫秒数，等待人的时间不计'),
  ),
});
/** Limits of one key, or of all keys of one tenant together. Rates are per minute, quotas per day in UTC, and fields from maxTokens on per run. */
export type Limits = Static<typeof Limits>;

const NAME = '^[A-Za-z0-9_.-]{1,64}$';
const sections = (text: object) => Type.Optional(Type.Record(Type.String({ pattern: NAME }), Limits, { ...closed, ...text }));
export const LIMITS_SCHEMA = closedObject({
  default: Type.Optional(closedObject(Limits.properties, says('holds for each key alone', '对每个密钥单独生效'))),
  tenants: sections(says('holds for all keys of a tenant together', '对一个租户的所有密钥合计生效')),
  keys: sections(says('replaces fields of default for one key', '为单个密钥替换 default 的字段')),
});

const checker = TypeCompiler.Compile(LIMITS_SCHEMA);

/** The limits of the file: `default` holds for each key, and fields of `keys` replace it. */
export interface LimitSet {
  default: Limits;
  tenants: ReadonlyMap<string, Limits>;
  keys: ReadonlyMap<string, Limits>;
}

/** Reads the limits of the file. Throws one sentence that names file, field and line. */
export function toLimitSet(file: ConfigFile): LimitSet {
  refuseInvisibleText(file);
  const written = checkConfigFile({ ...file, value: withoutEmptyParts(file.value) }, checker, 'a list of limits') as Static<
    typeof LIMITS_SCHEMA
  >;
  return {
    default: written.default ?? {},
    tenants: new Map(Object.entries(written.tenants ?? {})),
    keys: new Map(Object.entries(written.keys ?? {})),
  };
}

/** A part whose lines are all comments is null in YAML. */
function withoutEmptyParts(value: unknown): unknown {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null));
}
