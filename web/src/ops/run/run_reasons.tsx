/** The causes of a run: why it got its tools, the parts of its prompt, its errors and its child runs. */
import { memo } from '../../components/basic/memo';
import { formatCount, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { OpsLink } from '../parts/ops_link';
import { StatusTag, toneOfRun } from '../parts/status_tag';
import { useOpsTexts } from '../shared/ops_words';
import { runPlace } from '../shared/place';
import { runTexts } from './run_texts';
import { errorIn, type RunDetail } from './run_types';

/** A drag through the log renders none of this again. */
export const RunReasons = memo(function RunReasons({ detail }: { detail: RunDetail }) {
  return (
    <>
      <RunErrors runId={detail.run.runId} errors={detail.errors} />
      <RunChildren detail={detail} />
      <OfferedTools tools={detail.tools} />
      <PromptLayers prompt={detail.prompt} />
    </>
  );
});

function OfferedTools({ tools }: Pick<RunDetail, 'tools'>) {
  const texts = runTexts[useLocale()];
  const columns: Column<RunDetail['tools'][number]>[] = [
    {
      key: 'tool',
      head: texts.tool,
      isName: true,
      cell: ({ name }) => (
        <OpsLink screen="tools" query={{ q: name }}>
          {name}
        </OpsLink>
      ),
    },
    { key: 'why', head: texts.why, cell: ({ why }) => texts.reasons[why] },
    { key: 'score', head: texts.score, isNumber: true, why: 'measured', cell: ({ score }) => score?.toFixed(2) ?? '' },
  ];
  return (
    <section aria-labelledby="offered-heading">
      <h2 id="offered-heading">{texts.tools}</h2>
      <DataTable
        label={texts.tools}
        columns={columns}
        rows={tools}
        keyOf={({ name }) => name}
        empty={texts.noTools}
        testId="offered-tools"
      />
    </section>
  );
}

function PromptLayers({ prompt }: Pick<RunDetail, 'prompt'>) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const columns: Column<RunDetail['prompt']['layers'][number]>[] = [
    { key: 'layer', head: texts.layer, isName: true, cell: ({ name }) => texts.layers[name] },
    { key: 'tokens', head: texts.facts.tokens, isNumber: true, why: 'measured', cell: ({ tokens }) => formatCount(tokens, locale) },
  ];
  return (
    <section aria-labelledby="prompt-heading">
      <h2 id="prompt-heading">{texts.prompt}</h2>
      <DataTable label={texts.prompt} columns={columns} rows={prompt.layers} keyOf={({ name }) => name} empty="" testId="prompt-layers" />
      <p class="field-note">{`${texts.estimated} ${formatCount(prompt.estimatedTokens, locale)}`}</p>
    </section>
  );
}

/** Shows nothing for a run without errors. */
function RunErrors({ runId, errors }: Pick<RunDetail, 'errors'> & { runId: string }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  if (errors.length === 0) return null;
  return (
    <section aria-labelledby="errors-heading" data-testid="run-errors">
      <h2 id="errors-heading">{texts.errors}</h2>
      <ul>
        {errors.map(({ seq, kind, name, ...error }) => (
          <li key={seq}>
            {texts.errorKinds[kind]} {kind === 'run' ? '' : name}{' '}
            {kind === 'tool' ? (texts.outcomes[error.code ?? ''] ?? error.code) : errorIn(locale, error)}{' '}
            <OpsLink screen="runs" item={runId} hash={String(seq)}>
              {texts.atEvent(seq)}
            </OpsLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows nothing for a run that delegated nothing. */
function RunChildren({ detail: { children: runs, waterfall } }: { detail: RunDetail }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const ops = useOpsTexts();
  if (runs.length === 0) return null;
  const durationOf = (runId: string) => waterfall.find(row => row.kind === 'child' && row.id === runId)?.durationMs;
  const columns: Column<RunDetail['children'][number]>[] = [
    {
      key: 'run',
      head: texts.kinds.child,
      isName: true,
      cell: ({ runId, agent }) => (
        <OpsLink screen="runs" item={runId}>
          {agent}
        </OpsLink>
      ),
    },
    {
      key: 'state',
      head: texts.facts.state,
      cell: ({ status }) => <StatusTag tone={toneOfRun(status)}>{ops.runStatus[status]}</StatusTag>,
    },
    {
      key: 'duration',
      head: texts.facts.duration,
      isNumber: true,
      to: runPlace,
      cell: ({ runId }) => {
        const ms = durationOf(runId);
        return ms === undefined ? '' : formatDuration(ms, locale);
      },
    },
  ];
  return (
    <section aria-labelledby="children-heading">
      <h2 id="children-heading">{texts.children}</h2>
      <DataTable label={texts.children} columns={columns} rows={runs} keyOf={({ runId }) => runId} empty="" testId="child-runs" />
    </section>
  );
}
