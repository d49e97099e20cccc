import { RelativeTime } from '../../components/basic/relative_time';
import { formatBytes, formatCost, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { formatShare, formatShort } from '../parts/format_figures';
import { Tile } from '../parts/tile';
import { overviewTexts } from './overview_texts';
import type { Overview } from './overview_types';

/** Share of a limit from which its tile is marked. */
const NEAR = 0.8;
const NO_VALUE = '–';
const LOW_DISK = 0.1;
const SLOW_LOOP_MS = 200;

/** The figures; each leads to the list of the things that it counts. */
export function OverviewTiles({ data }: { data: Overview }) {
  return (
    <div class="tiles" data-testid="tiles">
      <RunTiles data={data} />
      <TrafficTiles data={data} />
      <SpendTiles data={data} />
      <ProcessTiles data={data} />
    </div>
  );
}

function RunTiles({ data: { live } }: { data: Overview }) {
  const { tiles, stuckNote } = overviewTexts[useLocale()];
  const to = (state: string) => ({ screen: 'runs', query: { state } });
  return (
    <>
      <Tile name="running" label={tiles.running} value={live.running} to={to('running')} />
      <Tile
        name="waiting"
        label={tiles.waiting}
        value={live.waiting}
        to={{ screen: 'people' }}
        tone={live.waiting > 0 ? 'warn' : undefined}
      />
      <Tile name="queued" label={tiles.queued} value={live.queued} to={to('queued')} />
      <Tile
        name="stuck"
        label={tiles.stuck}
        value={live.stuck}
        note={stuckNote}
        to={to('stuck')}
        tone={live.stuck > 0 ? 'bad' : undefined}
      />
    </>
  );
}

function TrafficTiles({ data: { at, traffic, minutes } }: { data: Overview }) {
  const locale = useLocale();
  const { tiles, lastMinutes, noData } = overviewTexts[locale];
  const note = lastMinutes(traffic.windowMinutes);
  const since = new Date(Date.parse(at) - traffic.windowMinutes * 60_000).toISOString();
  const runs = { screen: 'runs', query: { since } };
  return (
    <>
      <Tile
        name="runs-per-minute"
        label={tiles.runsPerMinute}
        value={traffic.runsPerMinute}
        note={note}
        to={runs}
        trend={minutes.map(minute => minute.runs)}
      />
      <Tile
        name="success"
        label={tiles.success}
        value={traffic.successShare === undefined ? NO_VALUE : formatShare(traffic.successShare, locale)}
        note={traffic.successShare === undefined ? noData : note}
        to={{ screen: 'runs', query: { status: 'failed', since } }}
        trend={minutes.map(minute => minute.failed)}
      />
      <Tile
        name="run-p95"
        label={tiles.runP95}
        value={traffic.runP95Ms === undefined ? NO_VALUE : formatDuration(traffic.runP95Ms, locale)}
        note={traffic.runP95Ms === undefined ? noData : note}
        to={runs}
        trend={minutes.map(minute => minute.runP95Ms ?? 0)}
      />
      <Tile
        name="first-token"
        label={tiles.firstToken}
        value={traffic.firstTokenP95Ms === undefined ? NO_VALUE : formatDuration(traffic.firstTokenP95Ms, locale)}
        note={traffic.firstTokenP95Ms === undefined ? noData : note}
        to={{ screen: 'models' }}
        trend={minutes.map(minute => minute.firstTokenP95Ms ?? 0)}
      />
    </>
  );
}

type BudgetName = keyof Overview['limits']['budgets'];

function SpendTiles({ data: { today, limits } }: { data: Overview }) {
  const locale = useLocale();
  const { tiles, ofBudget, noBudget, budgets, unpriced, lastMinutes } = overviewTexts[locale];
  const seesAll = useScope('operator');
  const { costUsd, costPerDayUsd, tokens, tokensPerDay, unpricedRuns } = today;
  // An operator of all tenants has no budget of their own: the note counts those of keys and tenants.
  const others = (limit: BudgetName) =>
    limits.budgets[limit] === 0 ? noBudget : budgets(limits.budgets[limit], limits.usedUpBudgets[limit]);
  const budget = costPerDayUsd === undefined ? others('costPerDayUsd') : ofBudget(formatCost(costPerDayUsd, locale));
  return (
    <>
      <Tile
        name="spend"
        label={tiles.spend}
        value={formatCost(costUsd, locale)}
        note={unpricedRuns > 0 ? unpriced(unpricedRuns) : budget}
        to={{ screen: 'models', query: { by: seesAll ? 'tenant' : 'model', days: '1' } }}
        tone={limits.usedUpBudgets.costPerDayUsd > 0 ? 'bad' : unpricedRuns > 0 || isNear(costUsd, costPerDayUsd) ? 'warn' : undefined}
      />
      <Tile
        name="tokens"
        label={tiles.tokens}
        value={formatShort(tokens, locale)}
        note={tokensPerDay === undefined ? others('tokensPerDay') : ofBudget(formatShort(tokensPerDay, locale))}
        to={{ screen: 'models', query: { by: 'day' } }}
        tone={limits.usedUpBudgets.tokensPerDay > 0 ? 'bad' : isNear(tokens, tokensPerDay) ? 'warn' : undefined}
      />
      <Tile
        name="refused"
        label={tiles.refused}
        value={limits.refused}
        note={lastMinutes(limits.windowMinutes)}
        to={{ screen: 'limits' }}
        tone={limits.refused > 0 ? 'warn' : undefined}
      />
    </>
  );
}

const isNear = (used: number, limit: number | undefined): boolean => limit !== undefined && used >= limit * NEAR;

/** The figures of the machine are absent for an operator of another tenant than `default`. */
function ProcessTiles({ data: { process } }: { data: Overview }) {
  const { tiles } = overviewTexts[useLocale()];
  return (
    <>
      <Tile name="connections" label={tiles.connections} value={process.connections} to={{ screen: 'connections' }} />
      {process.rssBytes !== undefined && <MachineTiles process={process} />}
    </>
  );
}

function MachineTiles({ process }: Pick<Overview, 'process'>) {
  const locale = useLocale();
  const { tiles, heap, ofDisk, noData, verified, noBackup } = overviewTexts[locale];
  const { eventLoopP99Ms = 0, rssBytes = 0, heapUsedBytes = 0, diskFreeBytes, diskTotalBytes, backupAt } = process;
  const isDiskLow = diskFreeBytes !== undefined && diskTotalBytes !== undefined && diskFreeBytes < diskTotalBytes * LOW_DISK;
  const config = { screen: 'config' };
  return (
    <>
      <Tile
        name="event-loop"
        label={tiles.eventLoop}
        value={formatDuration(eventLoopP99Ms, locale)}
        to={config}
        tone={eventLoopP99Ms > SLOW_LOOP_MS ? 'bad' : undefined}
      />
      <Tile
        name="memory"
        label={tiles.memory}
        value={formatBytes(rssBytes, locale)}
        note={heap(formatBytes(heapUsedBytes, locale))}
        to={config}
      />
      <Tile
        name="disk"
        label={tiles.disk}
        value={diskFreeBytes === undefined ? NO_VALUE : formatBytes(diskFreeBytes, locale)}
        note={diskTotalBytes === undefined ? noData : ofDisk(formatBytes(diskTotalBytes, locale))}
        to={config}
        tone={isDiskLow ? 'bad' : undefined}
      />
      <Tile
        name="backup"
        label={tiles.backup}
        value={backupAt === undefined ? NO_VALUE : <RelativeTime iso={backupAt} />}
        note={backupAt === undefined ? noBackup : verified}
        to={config}
      />
    </>
  );
}
