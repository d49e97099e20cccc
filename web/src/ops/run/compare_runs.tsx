import { callRest } from '../../api/call_rest';
import { formatCost, formatCount, formatDuration, formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { FilterSelect } from '../parts/filters';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useResource } from '../parts/use_resource';
import { useOpsQuery } from '../shared/ops_controller';
import type { EndedRun, RunsPage } from '../shared/ops_types';
import { useOpsTexts } from '../shared/ops_words';
import { readRun } from './run_api';
import { type RunTexts, runTexts } from './run_texts';
import type { RunDetail } from './run_types';
import { percentileOf } from './step_tree';
import { Waterfall, widthOf } from './waterfall';

const PEERS = 100;

/** Says how long runs of the agent usually take, and shows another one beside this run. The address names the other run. */
export function CompareRuns({ detail }: { detail: RunDetail }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const { runStatus } = useOpsTexts();
  const { runId, agent, tenantId } = detail.run;
  const peers = useResource(`${agent} ${tenantId}`, () => listPeers(agent, tenantId));
  const others = (peers.data ?? []).filter(peer => peer.runId !== runId);
  const named = useOpsQuery('with');
  return (
    <section aria-labelledby="compare-heading" data-testid="compare">
      <h2 id="compare-heading">{texts.compare}</h2>
      <UsualDuration peers={peers.data ?? []} texts={texts} />
      {peers.data && others.length === 0 && named === '' && <p class="view-empty">{texts.noPeers}</p>}
      {(others.length > 0 || named !== '') && (
        <FilterSelect
          name="with"
          label={texts.compareWith}
          first={texts.chooseRun}
          options={others.map(peer => ({ value: peer.runId, text: nameOf(peer, runStatus, locale) }))}
        />
      )}
      {named !== '' && named !== runId && <Compared detail={detail} otherId={named} />}
    </section>
  );
}

const listPeers = async (agent: string, tenant: string): Promise<readonly EndedRun[]> => {
  const query = new URLSearchParams({ agent, tenant, limit: String(PEERS) });
  return (await callRest<RunsPage>('GET', `/ops/runs?${query}`)).data;
};

function nameOf({ runId, createdAt, status, durationMs }: EndedRun, words: Readonly<Record<string, string>>, locale: Locale): string {
  const parts = [
    formatMinute(createdAt, locale),
    words[status],
    durationMs === undefined ? '' : formatDuration(durationMs, locale),
    runId.slice(-8),
  ];
  return parts.filter(Boolean).join(' · ');
}

function UsualDuration({ peers, texts }: { peers: readonly EndedRun[]; texts: RunTexts }) {
  const locale = useLocale();
  const durations = peers.flatMap(({ durationMs }) => durationMs ?? []);
  const [p50, p95] = [percentileOf(durations, 0.5), percentileOf(durations, 0.95)];
  if (p50 === undefined || p95 === undefined) return null;
  return (
    <p class="field-note" data-testid="usual-duration">
      {texts.usualDuration(formatDuration(p50, locale), formatDuration(p95, locale), durations.length)}
    </p>
  );
}

/** Both runs on one axis, and their figures beside each other. */
function Compared({ detail, otherId }: { detail: RunDetail; otherId: string }) {
  const texts = runTexts[useLocale()];
  const other = useResource(otherId, () => readRun(otherId));
  if (!other.data) return <LoadNotice of={other} />;
  const runs = [detail, other.data];
  const widthMs = Math.max(...runs.map(run => widthOf(run.waterfall, durationOf(run))));
  return (
    <>
      <FigureTable runs={[detail, other.data]} />
      <div class="compared">
        {runs.map((run, index) => (
          <div key={run.run.runId}>
            <h3>
              {index === 0 ? texts.thisRun : texts.otherRun}{' '}
              <OpsLink screen="runs" item={run.run.runId}>
                <code>{run.run.runId.slice(-8)}</code>
              </OpsLink>
            </h3>
            <Waterfall runId={run.run.runId} rows={run.waterfall} totalMs={durationOf(run)} cursorMs={undefined} widthMs={widthMs} />
          </div>
        ))}
      </div>
    </>
  );
}

const durationOf = ({ run, waterfall }: RunDetail): number =>
  run.endedAt === undefined ? widthOf(waterfall, 1) : Date.parse(run.endedAt) - Date.parse(run.createdAt);

interface Figure {
  name: string;
  /** Undefined: not known. */
  amountOf: (detail: RunDetail) => number | undefined;
  format: (value: number) => string;
}

function figuresOf(texts: RunTexts, locale: Locale): readonly Figure[] {
  const count = (value: number) => formatCount(value, locale);
  const duration = (ms: number) => formatDuration(ms, locale);
  const stepsOf = (kind: string) => (detail: RunDetail) => detail.waterfall.filter(row => row.kind === kind);
  const { facts } = texts;
  return [
    { name: facts.duration, amountOf: durationOf, format: duration },
    { name: facts.tokens, amountOf: ({ run }) => run.usage.inputTokens + run.usage.outputTokens, format: count },
    { name: facts.cost, amountOf: ({ run }) => run.usage.costUsd, format: value => formatCost(value, locale) },
    { name: texts.modelCalls, amountOf: detail => stepsOf('model')(detail).length, format: count },
    { name: texts.toolCalls, amountOf: detail => stepsOf('tool')(detail).length, format: count },
    { name: texts.failedSteps, amountOf: detail => detail.waterfall.filter(({ ok }) => ok === false).length, format: count },
    {
      name: texts.people,
      amountOf: detail => stepsOf('human')(detail).reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
      format: duration,
    },
  ];
}

function FigureTable({ runs: [one, other] }: { runs: readonly [RunDetail, RunDetail] }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const shown = (value: number | undefined, format: Figure['format'], { run }: RunDetail) =>
    value === undefined ? (
      '–'
    ) : (
      <OpsLink screen="runs" item={run.runId}>
        {format(value)}
      </OpsLink>
    );
  return (
    <table class="ops-table plain" aria-label={texts.compare} data-testid="compared-figures">
      <thead>
        <tr>
          {[texts.figure, texts.thisRun, texts.otherRun, texts.difference].map((head, index) => (
            <th key={head} scope="col" class={index > 0 ? 'number' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {figuresOf(texts, locale).map(({ name, amountOf, format }) => {
          const [a, b] = [amountOf(one), amountOf(other)];
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{shown(a, format, one)}</td>
              <td class="number">{shown(b, format, other)}</td>
              <td class="number">{differenceOf(a, b, format)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns how much more the other run has, with its sign. */
function differenceOf(one: number | undefined, other: number | undefined, format: Figure['format']): string {
  if (one === undefined || other === undefined) return '–';
  if (one === other) return '=';
  return `${other > one ? '+' : '−'}${format(Math.abs(other - one))}`;
}
