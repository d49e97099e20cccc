import type { RunEvent } from '../../../../src/port/run_event';
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { LoadNotice } from '../parts/load_notice';
import { useResource } from '../parts/use_resource';
import { readEvents } from './run_api';
import { runTexts } from './run_texts';
import type { WaterfallRow } from './run_types';

/** Longer texts are truncated; the log has them whole. Characters. */
const SHOWN = 20_000;

/** Input and output of a step beside each other, and the usual times of its tool. */
export function StepDetails({ runId, row }: { runId: string; row: WaterfallRow }) {
  const texts = runTexts[useLocale()];
  const step = useResource(`${runId} ${row.fromSeq} ${row.toSeq ?? ''}`, () => readStep(runId, row));
  return (
    <div class="step-details" data-testid="step-details">
      <LoadNotice of={step} />
      {row.kind === 'tool' && <UsualTimes row={row} />}
      {step.data && (
        <div class="step-pair">
          <StepText title={texts.input} text={step.data.input} testId="step-input" />
          <StepText title={texts.output} text={step.data.output} testId="step-output" />
        </div>
      )}
    </div>
  );
}

function StepText({ title, text, testId }: { title: string; text: string | undefined; testId: string }) {
  const texts = runTexts[useLocale()];
  return (
    <div>
      <h4>{title}</h4>
      {text === undefined ? (
        <p class="field-note">{texts.noOutput}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        <pre tabIndex={0} data-testid={testId}>
          {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
        </pre>
      )}
    </div>
  );
}

/** Median and 95th percentile of the tool, so that a slow call shows as slow. */
function UsualTimes({ row: { name, durationMs } }: { row: WaterfallRow }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const tools = useResource('tools', () => callRest<Answer<'OpsTools'>>('GET', '/ops/tools'));
  const { p50Ms, p95Ms } = tools.data?.tools.find(tool => tool.name === name) ?? {};
  if (p50Ms === undefined || p95Ms === undefined) return null;
  const isSlow = durationMs !== undefined && durationMs > p95Ms;
  return (
    <p class="field-note" data-testid="usual-times">
      {texts.usualTimes(name, formatDuration(p50Ms, locale), formatDuration(p95Ms, locale))}
      {isSlow && ` ${texts.isSlow}`}
    </p>
  );
}

async function readStep(runId: string, { fromSeq, toSeq }: WaterfallRow): Promise<{ input?: string; output?: string }> {
  const read = async (seq: number) => (await readEvents(runId, seq - 1, 1)).data.find(event => event.seq === seq);
  const [first, last] = await Promise.all([read(fromSeq), toSeq === undefined ? undefined : read(toSeq)]);
  return { input: first && contentOf(first), output: last && contentOf(last) };
}

const indent = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Returns what an event carries: the arguments of a call, a result, an answer. */
function contentOf({ type, data }: RunEvent): string {
  switch (type) {
    case 'run_start':
      return data.input;
    case 'tool_call_start':
      return indent(data.args);
    case 'tool_call_end':
      return data.result;
    case 'message_end':
      return [data.content, ...(data.toolCalls ?? []).map(indent)].filter(Boolean).join('\n\n');
    case 'clarify_request':
      return [data.question, ...(data.choices ?? []).map(choice => `- ${choice}`)].join('\n');
    case 'approval_request':
      return `${data.reason}\n\n${data.tool} ${indent(data.args)}`;
    default:
      return indent(data);
  }
}
