/** Checks config/limits.yaml: what keys and tenants may use. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile } from '../../port/config_files';
import { checkConfigFile, refuseInvisibleText } from '../config_file_check';

const closed = { additionalProperties: false };
const count = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }));
const dollars = Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }));

const Limits = Type.Object(
  {
    requestsPerMinute: count(1, 10_000_000),
    runsPerMinute: count(1, 1_000_000),
    concurrentRuns: count(1, 100_000),
    queuedRuns: count(0, 1_000_000),
    tokensPerDay: count(1, 1_000_000_000_000),
    costPerDayUsd: dollars,
    maxTokens: count(1, 1_000_000_000),
    maxCostUsd: dollars,
    maxToolCalls: count(0, 100_000),
    maxToolIterations: count(1, 1_000),
    timeoutMs: count(1_000, 86_400_000),
  },
  closed,
);
/** Limits of one key, or of all keys of one tenant together. Rates are per minute, quotas per day in UTC, and fields from maxTokens on per run. */
export type Limits = Static<typeof Limits>;

const NAME = '^[A-Za-z0-9_.-]{1,64}$';
const sections = Type.Optional(Type.Record(Type.String({ pattern: NAME }), Limits, closed));
export const LIMITS_SCHEMA = Type.Object({ default: Type.Optional(Limits), tenants: sections, keys: sections }, closed);

const checker = TypeCompiler.Compile(LIMITS_SCHEMA);

/** The limits of the file: `default` holds for each key, and fields of `keys` replace it. */
export interface LimitSet {
  default: Limits;
  tenants: ReadonlyMap<string, Limits>;
  keys: ReadonlyMap<string, Limits>;
}

/** Throws one sentence that names file, field and line. */
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
