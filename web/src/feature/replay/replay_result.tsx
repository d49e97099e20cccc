import { DiffView } from '../../components/basic/diff_view';
import { formatCost, formatCount } from '../../i18n/format';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { StatusTag, type Tone } from '../../ops/parts/status_tag';
import { endReasons } from '../../ops/shared/end_reasons';
import { useOpsTexts } from '../../ops/shared/ops_words';
import type { Replay } from './replay_api';
import { replayTexts } from './replay_texts';

const RESULT_TONES: Record<Replay['result'], Tone> = { same: 'good', different: 'warn', failed: 'bad' };
const CALL_TONES: Record<Replay['calls'][number]['state'], Tone> = { same: 'good', added: 'warn', removed: 'warn' };

/** What a replay has in common with its run, and what differs. */
export function ReplayResult({ replay }: { replay: Replay }) {
  const locale = useLocale();
  const texts = replayTexts[locale];
  const { runStatus } = useOpsTexts();
  const endOf = ({ status, reason }: Replay['recorded']) =>
    reason === undefined ? runStatus[status] : `${runStatus[status]} (${endReasons[locale][reason]})`;
  const { result, differences, recorded, replayed, answerDiff, promptDiff } = replay;
  return (
    <div data-testid="replay-result" data-result={result}>
      <p role="status">
        <StatusTag tone={RESULT_TONES[result]}>{texts.results[result]}</StatusTag>{' '}
        {joinSentences(
          locale,
          differences.length > 0 && texts.differs(listDifferences(differences, texts)),
          differences.includes('status') && texts.status(endOf(recorded), endOf(replayed)),
        )}
        {replayed.error && <span class="cell-note bad">{replayed.error.message}</span>}
      </p>
      <Figures replay={replay} />
      <Requests requests={replay.requests} />
      <Calls calls={replay.calls} />
      {answerDiff !== undefined && <Diff title={texts.answerDiff} diff={answerDiff} />}
      {promptDiff !== undefined && <Diff title={texts.promptDiff} diff={promptDiff} />}
    </div>
  );
}

/** Names what differs, such as "the answer, the tool calls". */
export const listDifferences = (differences: Replay['differences'], texts: (typeof replayTexts)['en']): string =>
  differences.map(part => texts.differences[part]).join(texts.comma);

function Figures({ replay: { recorded, replayed } }: { replay: Replay }) {
  const locale = useLocale();
  const texts = replayTexts[locale];
  const tokens = ({ usage }: Replay['recorded']) => formatCount(usage.inputTokens + usage.outputTokens, locale);
  const cost = ({ usage }: Replay['recorded']) => (usage.costUsd === undefined ? texts.unknown : formatCost(usage.costUsd, locale));
  return <p class="field-note">{texts.figures(tokens(recorded), tokens(replayed), cost(recorded), cost(replayed))}</p>;
}

function Requests({ requests }: Pick<Replay, 'requests'>) {
  const texts = replayTexts[useLocale()];
  return (
    <>
      <h3>{texts.requests}</h3>
      <ol class="replay-requests">
        {requests.map(({ state, changed = [] }, index) => (
          <li key={index} data-testid="replay-request" data-state={state}>
            <StatusTag tone={state === 'same' ? 'good' : 'warn'}>{texts.requestStates[state]}</StatusTag>
            {changed.length > 0 && <span class="cell-note">{changed.map(part => texts.parts[part]).join(' · ')}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Calls({ calls }: Pick<Replay, 'calls'>) {
  const texts = replayTexts[useLocale()];
  const rows = calls.map((call, index) => ({ ...call, key: String(index) }));
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'tool', head: texts.tool, isName: true, cell: ({ name }) => name },
    { key: 'arguments', head: texts.arguments, cell: ({ arguments: text }) => <code class="replay-arguments">{text}</code> },
    { key: 'state', head: texts.state, cell: ({ state }) => <StatusTag tone={CALL_TONES[state]}>{texts.callStates[state]}</StatusTag> },
    { key: 'source', head: texts.source, cell: ({ source }) => (source === undefined ? '–' : texts.sources[source]) },
  ];
  return (
    <>
      <h3>{texts.calls}</h3>
      <DataTable
        label={texts.calls}
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        stateOf={({ state }) => state}
        empty={texts.noCalls}
        testId="replay-calls"
      />
    </>
  );
}

function Diff({ title, diff }: { title: string; diff: string }) {
  return (
    <>
      <h3>{title}</h3>
      <DiffView diff={diff} />
    </>
  );
}
