/** Counts tool calls. */
import type { EndedWork } from '../../port/observer';
import type { LabelNames, MetricWriter } from './label_values';

type EndedCall = Extract<EndedWork, { kind: 'tool_call' }>;

/** Codes in the details of results. */
const PATCH_OUTCOMES: Record<string, string> = { no_match: 'not_found', ambiguous: 'ambiguous', conflict: 'conflict' };
const DENIALS: ReadonlySet<string> = new Set(['outside', 'protected']);
const SSRF = 'forbidden_address';

export function countToolCall(
  { begun, ended }: EndedCall,
  seconds: number,
  { series, names, model }: { series: MetricWriter; names: LabelNames; model: string },
): void {
  const { outcome, resultBytes, isTruncated, retries, details } = ended;
  const tool = names.tool(begun);
  series.change('neta_tool_running', [tool], -1);
  series.add('neta_tool_calls_total', [tool, names.toolset(begun), outcome]);
  if (begun.run)
    series.add('neta_tool_args_total', [model, outcome === 'invalid_args' ? 'invalid' : begun.isRepaired ? 'repaired' : 'valid']);
  const isReused = outcome === 'cached' || outcome === 'duplicate';
  if (begun.isCacheable && begun.run && (isReused || outcome === 'ok'))
    series.add('neta_tool_cache_total', [tool, isReused ? 'hit' : 'miss']);
  if (outcome === 'duplicate') series.add('neta_tool_duplicates_total', [tool, ended.isFromCache ? 'history' : 'batch']);
  if (retries > 0) series.add('neta_tool_retries_total', [tool], retries);
  if (isTruncated) series.add('neta_tool_result_truncated_total', [tool]);
  if (details) countDetails(series, details);
  // The call did not run.
  if (outcome === 'invalid_args' || outcome === 'denied' || outcome === 'blocked' || isReused) return;
  series.observe('gen_ai_execute_tool_duration_seconds', [tool, names.toolType(begun), outcome === 'ok' ? '' : outcome], seconds);
  series.observe('neta_tool_result_bytes', [tool], resultBytes);
}

function countDetails(series: MetricWriter, { strategy, code }: Readonly<Record<string, unknown>>): void {
  if (typeof strategy === 'string') series.add('neta_patch_matches_total', [strategy, 'applied']);
  if (typeof code !== 'string') return;
  const patch = PATCH_OUTCOMES[code];
  if (patch) series.add('neta_patch_matches_total', ['none', patch]);
  if (DENIALS.has(code)) series.add('neta_sandbox_denied_total', [code]);
  if (code === SSRF) series.add('neta_ssrf_blocked_total', [code]);
}
