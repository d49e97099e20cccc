import { useEffect, useState } from 'preact/hooks';
import { requestRest } from '../../api/call_rest';
import { SearchField } from '../../components/list/search_field';
import { useLocale } from '../../i18n/language_context';
import { saveFile } from '../../platform/save_file';
import { type Column, DataTable } from '../parts/data_table';
import { FilterSelect, ResetFilters } from '../parts/filters';
import { formatExactTime } from '../parts/format_figures';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { SavedViews } from '../parts/saved_views';
import { StatusTag, type Tone } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import { logTexts } from './log_texts';
import { keyOfLine, type LogLine, useLogTail } from './use_log_tail';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const TONES: Record<LogLine['level'], Tone> = { error: 'bad', warn: 'warn', info: 'calm', debug: 'calm' };
const FILTERS = ['level', 'q', 'run'] as const;
/** Lines that the table shows. */
const MAX_SHOWN = 200;
const TYPING_PAUSE_MS = 300;

/** The live tail of the log of the gateway that answers. */
export function LogsScreen() {
  const texts = logTexts[useLocale()];
  const { isBusy, run } = useAction();
  const values = [useOpsQuery('level'), useOpsQuery('q'), useOpsQuery('run')];
  const query = new URLSearchParams(FILTERS.flatMap((name, i) => (values[i] ? [[name, values[i]] as [string, string]] : []))).toString();
  const tail = useLogTail(query);
  const [held, setHeld] = useState<readonly LogLine[]>();
  // Another filter shows other lines.
  useEffect(() => setHeld(undefined), [query]);
  const lines = tail.data ?? [];
  const shown = held ?? lines;
  const waiting = held ? newsSince(held, lines) : 0;
  const download = async () => {
    const answer = await requestRest('GET', `/ops/logs?${query}`, { headers: { accept: 'application/x-ndjson' } });
    saveFile('neta.log.jsonl', await answer.text(), 'application/x-ndjson');
  };
  return (
    <>
      <div class="toolbar">
        <div class="grow">
          <SearchText />
        </div>
        <FilterSelect name="level" label={texts.level} options={LEVELS.map(value => ({ value, text: texts.levels[value] }))} />
        {values[2] && <FilterSelect name="run" label={texts.run} options={[]} />}
        <ResetFilters names={FILTERS} />
        <SavedViews />
        <button
          type="button"
          class="button"
          data-testid="hold-log"
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held ? undefined : lines)}
        >
          {held ? texts.resume : texts.pause}
        </button>
        {waiting > 0 && <span role="status">{texts.held(waiting)}</span>}
        <button type="button" class="button" aria-disabled={isBusy} data-testid="download-log" onClick={() => run(download)}>
          {texts.download}
        </button>
      </div>
      <LoadNotice of={tail} />
      {tail.data && <LineTable lines={shown} isFiltered={query !== ''} />}
      {tail.data && <p class="field-note">{texts.note}</p>}
    </>
  );
}

/** Counts the lines after the last line that is shown. */
function newsSince(held: readonly LogLine[], lines: readonly LogLine[]): number {
  const last = held.at(-1);
  const place = last ? lines.findLastIndex(line => keyOfLine(line) === keyOfLine(last)) : -1;
  return lines.length - place - 1;
}

function SearchText() {
  const texts = logTexts[useLocale()];
  const ops = useOps();
  const searched = useOpsQuery('q');
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [searched]);
  useEffect(() => {
    if (text.trim() === searched) return;
    const timer = setTimeout(() => ops.setQuery({ q: text.trim() }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchField text={text} onText={setText} label={texts.search} maxLength={200} testId="log-search" />;
}

function LineTable({ lines, isFiltered }: { lines: readonly LogLine[]; isFiltered: boolean }) {
  const locale = useLocale();
  const texts = logTexts[locale];
  const columns: Column<LogLine>[] = [
    { key: 'time', head: texts.time, cell: ({ time }) => <time dateTime={time}>{formatExactTime(time, locale)}</time> },
    { key: 'level', head: texts.level, cell: ({ level }) => <StatusTag tone={TONES[level]}>{texts.levelOf[level]}</StatusTag> },
    { key: 'message', head: texts.message, isName: true, cell: line => <Message line={line} /> },
    {
      key: 'run',
      head: texts.run,
      cell: ({ runId }) =>
        runId !== undefined && (
          <span class="nowrap">
            <OpsLink screen="runs" item={runId}>
              {texts.openRun}
            </OpsLink>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label={texts.lines}
      columns={columns}
      rows={lines.slice(-MAX_SHOWN).reverse()}
      keyOf={keyOfLine}
      stateOf={({ level }) => level}
      empty={isFiltered ? texts.noMatch : texts.none}
      testId="log"
    />
  );
}

/** The message, and the further facts of the line. */
function Message({ line: { n, time, level, msg, runId, ...facts } }: { line: LogLine }) {
  const more = Object.entries(facts).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return (
    <>
      {msg}
      {more.length > 0 && <code class="cell-note">{more.join(' ')}</code>}
    </>
  );
}
