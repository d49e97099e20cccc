import { useRef, useState } from 'preact/hooks';
import { RelativeTime } from '../../components/basic/relative_time';
import { formatCount } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { ConfirmDialog } from '../../ops/parts/confirm_dialog';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { LoadNotice } from '../../ops/parts/load_notice';
import { OpsLink } from '../../ops/parts/ops_link';
import { ScopeButton } from '../../ops/parts/scope_button';
import { StatusTag } from '../../ops/parts/status_tag';
import { useAction } from '../../ops/parts/use_action';
import { useResource } from '../../ops/parts/use_resource';
import { useOps, useOpsQuery } from '../../ops/shared/ops_controller';
import { ModelField } from './model_field';
import {
  type CaseResult,
  deleteCase,
  deleteSuite,
  listSuites,
  readSuite,
  runCase,
  runSuite,
  type Suite,
  type SuiteCase,
  type SuiteResult,
} from './replay_api';
import { listDifferences } from './replay_result';
import { replayTexts } from './replay_texts';
import './replay.css';

/** The suites with their newest results, or the cases of the one that the address names. */
export function SuitesScreen() {
  const texts = replayTexts[useLocale()];
  const chosen = useOpsQuery('suite');
  if (chosen === '') return <SuiteList />;
  return (
    <>
      <p>
        <OpsLink screen="suites">{texts.chooseSuite}</OpsLink>
      </p>
      <Cases key={chosen} suite={chosen} />
    </>
  );
}

function SuiteList() {
  const locale = useLocale();
  const texts = replayTexts[locale];
  const suites = useResource('suites', listSuites);
  const to = ({ name }: Suite) => ({ screen: 'suites', query: { suite: name } });
  const columns: Column<Suite>[] = [
    { key: 'name', head: texts.suite, isName: true, cell: row => <OpsLink {...to(row)}>{row.name}</OpsLink> },
    { key: 'cases', head: texts.cases, isNumber: true, to, cell: ({ cases }) => formatCount(cases, locale) },
    { key: 'passed', head: texts.passed, isNumber: true, to, cell: ({ passed }) => formatCount(passed, locale) },
    { key: 'failed', head: texts.failed, isNumber: true, to, cell: ({ failed }) => formatCount(failed, locale) },
    { key: 'ran', head: texts.ran, cell: ({ ranAt }) => (ranAt === undefined ? texts.neverRan : <RelativeTime iso={ranAt} />) },
  ];
  if (!suites.data) return <LoadNotice of={suites} />;
  return (
    <DataTable
      label={texts.suites}
      columns={columns}
      rows={suites.data}
      keyOf={({ name }) => name}
      empty={texts.noSuites}
      testId="suites"
    />
  );
}

/** The cases of a suite, and what its newest run on this page found. */
function Cases({ suite }: { suite: string }) {
  const texts = replayTexts[useLocale()];
  const ops = useOps();
  const cases = useResource(suite, () => readSuite(suite));
  const { isBusy, run } = useAction();
  const [model, setModel] = useState('');
  const [result, setResult] = useState<SuiteResult>();
  const start = async (row?: SuiteCase) => {
    const ended = await (row ? runCase(suite, row.id, model) : runSuite(suite, model));
    setResult(before =>
      row && before ? { ...before, cases: [...ended.cases, ...before.cases.filter(({ caseId }) => caseId !== row.id)] } : ended,
    );
    cases.reload();
    ops.notify(texts.suiteRan(ended.passed, ended.failed));
  };
  const [doomed, setDoomed] = useState<SuiteCase | 'suite'>();
  const heading = useRef<HTMLHeadingElement>(null);
  const remove = (what: SuiteCase | 'suite') => {
    setDoomed(undefined);
    run(
      async () => {
        await (what === 'suite' ? deleteSuite(suite) : deleteCase(suite, what.id));
        // The button that opened the dialog goes with its row.
        heading.current?.focus();
        if (what === 'suite' || cases.data?.length === 1) ops.setQuery({ suite: '' });
        else cases.reload();
      },
      what === 'suite' ? texts.suiteDeleted : texts.removed,
    );
  };
  return (
    <section aria-labelledby="cases-heading" data-testid="suite-cases">
      <h2 id="cases-heading" ref={heading} tabIndex={-1}>
        {texts.casesOf(suite)}
      </h2>
      <form onSubmit={event => event.preventDefault()}>
        <ModelField value={model} onChange={setModel} />
        <div class="toolbar">
          <ScopeButton scope="chat" isBusy={isBusy} isPrimary testId="run-suite" onClick={() => run(() => start())}>
            {isBusy ? texts.running : texts.runSuite}
          </ScopeButton>
          <ScopeButton scope="chat" isBusy={isBusy} isDanger testId="delete-suite" onClick={() => setDoomed('suite')}>
            {texts.deleteSuite}
          </ScopeButton>
        </div>
      </form>
      <LoadNotice of={cases} />
      {cases.data && (
        <CaseTable rows={cases.data} result={result} isBusy={isBusy} onRun={row => run(() => start(row))} onRemove={setDoomed} />
      )}
      {doomed && cases.data && (
        <ConfirmDialog
          title={doomed === 'suite' ? texts.deleteSuite : texts.removeCase}
          text={doomed === 'suite' ? texts.deleteSuiteText(suite, cases.data.length) : texts.removeCaseText(doomed.title)}
          action={doomed === 'suite' ? texts.deleteSuite : texts.remove}
          keep={texts.keep}
          onConfirm={() => remove(doomed)}
          onCancel={() => setDoomed(undefined)}
        />
      )}
    </section>
  );
}

interface CaseTableProps {
  rows: readonly SuiteCase[];
  result: SuiteResult | undefined;
  isBusy: boolean;
  onRun: (row: SuiteCase) => void;
  onRemove: (row: SuiteCase) => void;
}

function CaseTable({ rows, result, isBusy, onRun, onRemove }: CaseTableProps) {
  const texts = replayTexts[useLocale()];
  const resultOf = ({ id }: SuiteCase) => result?.cases.find(({ caseId }) => caseId === id);
  const columns: Column<SuiteCase>[] = [
    { key: 'title', head: texts.cases, isName: true, cell: ({ title }) => title },
    {
      key: 'run',
      head: texts.ofRun,
      cell: ({ runId }) => (
        <OpsLink screen="runs" item={runId}>
          <code>{runId.slice(-8)}</code>
        </OpsLink>
      ),
    },
    { key: 'result', head: texts.result, cell: row => <Outcome row={row} /> },
    { key: 'findings', head: texts.findings, cell: row => <Findings row={row} result={resultOf(row)} /> },
    {
      key: 'run-again',
      head: '',
      cell: row => (
        <ScopeButton scope="chat" isBusy={isBusy} testId="run-case" label={`${texts.runAgain}: ${row.title}`} onClick={() => onRun(row)}>
          {texts.runAgain}
        </ScopeButton>
      ),
    },
    {
      key: 'remove',
      head: '',
      cell: row => (
        <ScopeButton scope="chat" testId="remove-case" label={`${texts.remove}: ${row.title}`} onClick={() => onRemove(row)}>
          {texts.remove}
        </ScopeButton>
      ),
    },
  ];
  return (
    <DataTable
      label={texts.cases}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      stateOf={({ outcome }) => outcome && (outcome.passed ? 'passed' : 'failed')}
      empty={texts.noSuites}
      testId="cases"
    />
  );
}

function Outcome({ row: { outcome } }: { row: SuiteCase }) {
  const texts = replayTexts[useLocale()];
  if (!outcome) return <>{texts.neverRan}</>;
  return (
    <>
      <StatusTag tone={outcome.passed ? 'good' : 'bad'}>{outcome.passed ? texts.passed : texts.failed}</StatusTag>
      <span class="cell-note">
        <RelativeTime iso={outcome.at} />
        {outcome.model !== undefined && ` · ${outcome.model}`}
      </span>
    </>
  );
}

/** The failed checks: with what was expected and found after a run on this page, else by their names. */
function Findings({ row: { outcome }, result }: { row: SuiteCase; result: CaseResult | undefined }) {
  const texts = replayTexts[useLocale()];
  const failed = result?.checks.filter(({ passed }) => !passed) ?? outcome?.failed.map(check => ({ check, expected: '', found: '' })) ?? [];
  const differences = result ? listDifferences(result.replay.differences, texts) : '';
  if (failed.length === 0) return <>–</>;
  return (
    <ul class="replay-findings">
      {failed.map(({ check, expected, found }, index) => {
        const note = (check === 'replay' && differences) || found;
        return (
          <li key={index}>
            {texts.checks[check]} {expected}
            {note && <span class="cell-note">{note}</span>}
          </li>
        );
      })}
    </ul>
  );
}
