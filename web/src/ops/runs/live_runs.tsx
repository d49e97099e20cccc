import { useState } from 'preact/hooks';
import { useNow } from '../../components/basic/use_now';
import { formatCost, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { chosen, useShownColumns } from '../parts/column_choice';
import { type Column, DataTable } from '../parts/data_table';
import { formatShort } from '../parts/format_figures';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { cancelRun } from '../run/run_api';
import type { LiveRun } from '../shared/ops_types';
import { useDoorName } from '../shared/ops_words';
import { runPlace } from '../shared/place';
import { useRunColumns } from './run_columns';
import { RunName } from './run_name';
import { type RunsTexts, runsTexts } from './runs_texts';

/** The live runs, with the present step of each. */
export function LiveRuns({ rows, isFiltered }: { rows: readonly LiveRun[]; isFiltered: boolean }) {
  const locale = useLocale();
  const texts = runsTexts[locale];
  const doorName = useDoorName();
  const choosable = useRunColumns();
  const shown = useShownColumns(choosable);
  const now = useNow(1_000);
  const { isBusy, run } = useAction();
  const [cancelling, setCancelling] = useState<readonly LiveRun[]>();
  const sinceOf = (iso: string | undefined) => (iso === undefined ? '' : formatDuration(Math.max(0, now - Date.parse(iso)), locale));
  const columns: Column<LiveRun>[] = [
    { key: 'run', head: texts.run, isName: true, cell: row => <RunName run={row} /> },
    { key: 'step', head: texts.step, cell: row => <Step row={row} texts={texts} sinceOf={sinceOf} /> },
    { key: 'age', head: texts.age, isNumber: true, to: runPlace, cell: ({ createdAt }) => sinceOf(createdAt) },
    { key: 'tenant', head: texts.tenant, cell: ({ tenantId }) => tenantId },
    { key: 'door', head: texts.door, cell: ({ door }) => <span class="door-name">{doorName(door)}</span> },
    { key: 'key', head: texts.key, cell: ({ keyName }) => keyName ?? '' },
    {
      key: 'rounds',
      head: texts.rounds,
      isNumber: true,
      to: runPlace,
      cell: ({ iterations, maxIterations }) => `${iterations} / ${maxIterations}`,
    },
    { key: 'tokens', head: texts.tokens, isNumber: true, to: runPlace, cell: ({ tokens }) => formatShort(tokens, locale) },
    {
      key: 'cost',
      head: texts.cost,
      isNumber: true,
      to: runPlace,
      cell: ({ costUsd }) => (costUsd === undefined ? texts.unpriced : formatCost(costUsd, locale)),
    },
    { key: 'last', head: texts.lastEvent, isNumber: true, to: runPlace, cell: ({ lastEventAt }) => sinceOf(lastEventAt) },
    {
      key: 'actions',
      head: '',
      cell: row => (
        <ScopeButton
          scope="ops:write"
          isBusy={isBusy}
          label={texts.cancelRun(row.runId)}
          testId="cancel-live"
          onClick={() => setCancelling([row])}
        >
          {texts.cancel}
        </ScopeButton>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={texts.live}
        columns={chosen(columns, choosable, shown)}
        rows={rows}
        keyOf={({ runId }) => runId}
        stateOf={({ state }) => state}
        empty={isFiltered ? texts.noLiveMatch : texts.noLive}
        testId="live-runs"
      />
      {rows.length > 1 && (
        <p>
          <ScopeButton scope="ops:write" isBusy={isBusy} isDanger testId="cancel-all" onClick={() => setCancelling(rows)}>
            {texts.cancelAll(rows.length)}
          </ScopeButton>
        </p>
      )}
      {cancelling && (
        <ReasonDialog
          title={texts.cancelQuestion(cancelling.length)}
          text={texts.cancelText}
          reasonLabel={texts.cancelReason}
          action={texts.cancelAll(cancelling.length)}
          keep={texts.keepRunning}
          onConfirm={reason => {
            setCancelling(undefined);
            run(() => cancelAll(cancelling, reason), texts.cancelled(cancelling.length));
          }}
          onCancel={() => setCancelling(undefined)}
        />
      )}
    </>
  );
}

/** Cancels the runs one by one; a run that cannot be cancelled does not stop the rest. */
async function cancelAll(runs: readonly LiveRun[], reason: string): Promise<void> {
  const results = await Promise.allSettled(runs.map(({ runId }) => cancelRun(runId, reason)));
  const refused = results.find(result => result.status === 'rejected');
  if (refused) throw refused.reason;
}

interface StepProps {
  row: LiveRun;
  texts: RunsTexts;
  sinceOf: (iso: string | undefined) => string;
}

function Step({ row: { step, status, isStuck, lastFailure }, texts, sinceOf }: StepProps) {
  if (status === 'queued' || !step) return <StatusTag tone="calm">{texts.queued}</StatusTag>;
  const words = texts.steps[step.kind](sinceOf(step.since), step.name ?? '');
  return (
    <>
      <StatusTag tone={step.kind === 'human' ? 'warn' : 'busy'}>{words}</StatusTag>
      {step.command !== undefined && <code class="cell-note run-words">{step.command}</code>}
      {isStuck && (
        <>
          {' '}
          <StatusTag tone="bad">{texts.stuck}</StatusTag>
        </>
      )}
      {lastFailure && <span class="cell-note bad">{texts.lastFailure(lastFailure.name, lastFailure.code, sinceOf(lastFailure.at))}</span>}
    </>
  );
}
