import { formatRelative } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { OpsLink } from '../parts/ops_link';
import { type OverviewTexts, overviewTexts } from './overview_texts';
import type { Overview } from './overview_types';

const COLOURS = { healthy: 'green', degraded: 'amber', broken: 'red' } as const;
/** The list that a reason counts is filtered. */
const QUERIES: Readonly<Record<string, Record<string, string>>> = { runs_stuck: { state: 'stuck' }, runs_failing: { status: 'failed' } };
const SIGNS = { healthy: '✓', degraded: '!', broken: '✕' } as const;

/** One sentence about the gateway, and its problems. */
export function HealthLine({ data }: { data: Overview }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  const { state, reasons } = data;
  return (
    <div class={`health ${COLOURS[state]}`} role="status" data-testid="health" data-state={state}>
      <span aria-hidden="true">{SIGNS[state]}</span>
      <div>
        {sentenceOf(data, texts, locale)}
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

function sentenceOf({ state, live, people, at }: Overview, texts: OverviewTexts, locale: Locale): string {
  const waiting = people.questions + people.approvals;
  const parts = [
    texts.runsLive(live.running + live.waiting + live.queued),
    waiting > 0 && people.oldestAt !== undefined
      ? texts.peopleWaiting(waiting, formatRelative(people.oldestAt, new Date(at), locale))
      : texts.nobodyWaits,
  ];
  return locale === 'zh-CN' ? `${texts.state[state]}${parts.join('，')}。` : `${texts.state[state]} ${parts.join(', ')}.`;
}
