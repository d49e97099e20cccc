import { useNow } from '../../components/basic/use_now';
import { ViewSpinner } from '../../components/basic/view_spinner';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useOps } from '../shared/ops_controller';
import { useOpsTexts } from '../shared/ops_words';
import { formatAge } from './format_figures';
import type { Loadable } from './loadable';

/** Says that data loads, that it could not be read, or how old it is when the connection is lost. Shows nothing when all is well. */
export function LoadNotice({ of: { data, status, refusal, reload } }: { of: Loadable<unknown> }) {
  const messages = useMessages();
  const isStale = useStore(useOps().store, state => state.live === 'stale');
  if (status === 'loading') return data === undefined ? <ViewSpinner /> : null;
  if (status === 'ready') return isStale ? <StaleNotice /> : null;
  return (
    <div class="view-notice" role="alert" data-testid="view-notice">
      <p>{refusal ?? messages.notRead}</p>
      {refusal === undefined && (
        <button type="button" class="button" onClick={reload}>
          {messages.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Says how long the figures of the screen have stood still, and which time they are of. */
function StaleNotice() {
  const locale = useLocale();
  const texts = useOpsTexts();
  const at = useStore(useOps().store, state => state.liveAt);
  const now = useNow(1_000);
  if (at === undefined) return null;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(at);
  return (
    <div class="view-notice" data-testid="stale-notice">
      <p>{texts.staleSince(formatAge(now - at, locale), time)}</p>
    </div>
  );
}
