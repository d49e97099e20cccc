import { formatRelative } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { useStore } from '../../platform/store';
import { OpsLink } from '../parts/ops_link';
import { useOps } from '../shared/ops_controller';
import { overviewTexts } from './overview_texts';
import type { Overview } from './overview_types';

const COLOURS = { healthy: 'green', degraded: 'amber', broken: 'red', unknown: 'grey' } as const;
const SIGNS = { healthy: '✓', degraded: '!', broken: '✕', unknown: '?' } as const;
/** The list that a reason counts is filtered. */
const QUERIES: Readonly<Record<string, Record<string, string>>> = { runs_stuck: { state: 'stuck' }, runs_failing: { status: 'failed' } };

/** One sentence about the gateway, and its problems. While the gateway does not answer, its state is unknown. */
export function HealthLine({ data }: { data: Overview }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  const isStale = useStore(useOps().store, ({ live }) => live === 'stale');
  const state = isStale ? 'unknown' : data.state;
  const { reasons } = data;
  return (
    <div class={`health ${COLOURS[state]}`} role="status" data-testid="health" data-state={state}>
      <span aria-hidden="true">{SIGNS[state]}</span>
      <div>
        {isStale && [texts.unknown, texts.before, ''].join(gapOf(locale))}
        <Sentence data={data} />
        {reasons.length > 0 && (
          <ul>
            {reasons.map(({ code, message, messageZh, view }) => (
              <li key={code} data-testid="health-reason" data-code={code}>
                <OpsLink screen={view === undefined || view === 'overview' ? '' : view} query={QUERIES[code] ?? {}}>
                  {locale === 'zh-CN' ? messageZh : message}
                </OpsLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** Chinese sentences follow each other without a space. */
const gapOf = (locale: Locale): string => (locale === 'zh-CN' ? '' : ' ');

/** Each number leads to its list. */
function Sentence({ data: { state, live, people, at } }: { data: Overview }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  const waiting = people.questions + people.approvals;
  return (
    <>
      {texts.state[state]}
      {gapOf(locale)}
      <OpsLink screen="runs">{texts.runsLive(live.running + live.waiting + live.queued)}</OpsLink>
      {texts.comma}
      {live.replays > 0 && (
        <>
          <OpsLink screen="suites">{texts.replaysLive(live.replays)}</OpsLink>
          {texts.comma}
        </>
      )}
      {waiting > 0 && people.oldestAt !== undefined ? (
        <OpsLink screen="people">{texts.peopleWaiting(waiting, formatRelative(people.oldestAt, new Date(at), locale))}</OpsLink>
      ) : (
        texts.nobodyWaits
      )}
      {texts.stop}
    </>
  );
}
