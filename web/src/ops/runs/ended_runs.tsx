import { RelativeTime } from '../../components/basic/relative_time';
import { formatCost, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { chosen, useShownColumns } from '../parts/column_choice';
import { type Column, DataTable } from '../parts/data_table';
import { formatShort } from '../parts/format_figures';
import { StatusTag, toneOfRun } from '../parts/status_tag';
import type { EndedRun } from '../shared/ops_types';
import { useDoorName, useOpsTexts } from '../shared/ops_words';
import { runPlace } from '../shared/place';
import { useRunColumns } from './run_columns';
import { RunName } from './run_name';
import { runsTexts } from './runs_texts';

/** Runs that have ended, in the order in which the gateway lists them. */
export function EndedRuns({ rows, isFiltered }: { rows: readonly EndedRun[]; isFiltered: boolean }) {
  const locale = useLocale();
  const texts = runsTexts[locale];
  const { runStatus } = useOpsTexts();
  const doorName = useDoorName();
  const choosable = useRunColumns();
  const shown = useShownColumns(choosable);
  const columns: Column<EndedRun>[] = [
    { key: 'run', head: texts.run, isName: true, cell: row => <RunName run={row} /> },
    {
      key: 'result',
      head: texts.result,
      cell: ({ status, reason, errorCode, errorMessage }) => (
        <>
          <StatusTag tone={toneOfRun(status)}>{runStatus[status]}</StatusTag>
          {(reason ?? errorCode) && <span class={errorCode ? 'cell-note bad' : 'cell-note'}>{reason ?? errorCode}</span>}
          {errorMessage && (
            <span class="cell-note run-words" title={errorMessage}>
              {errorMessage}
            </span>
          )}
        </>
      ),
    },
    { key: 'when', head: texts.when, cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    { key: 'tenant', head: texts.tenant, cell: ({ tenantId }) => tenantId },
    { key: 'model', head: texts.model, cell: ({ model }) => model ?? '' },
    { key: 'door', head: texts.door, cell: ({ door }) => <span class="door-name">{doorName(door)}</span> },
    { key: 'key', head: texts.key, cell: ({ keyName }) => keyName ?? '' },
    {
      key: 'duration',
      head: texts.duration,
      isNumber: true,
      to: runPlace,
      cell: ({ durationMs }) => (durationMs === undefined ? '' : formatDuration(durationMs, locale)),
    },
    { key: 'tokens', head: texts.tokens, isNumber: true, to: runPlace, cell: ({ tokens }) => formatShort(tokens, locale) },
    {
      key: 'cost',
      head: texts.cost,
      isNumber: true,
      to: runPlace,
      cell: ({ costUsd }) => (costUsd === undefined ? texts.unpriced : formatCost(costUsd, locale)),
    },
  ];
  return (
    <DataTable
      label={texts.ended}
      columns={chosen(columns, choosable, shown)}
      rows={rows}
      keyOf={({ runId }) => runId}
      stateOf={({ status }) => status}
      empty={isFiltered ? texts.noEndedMatch : texts.noEnded}
      testId="ended-runs"
    />
  );
}
