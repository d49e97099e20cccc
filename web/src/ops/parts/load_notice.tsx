import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../state/store';
import { ViewSpinner } from '../../views/view_spinner';
import { useOps } from '../ops_controller';
import { useOpsTexts } from '../ops_words';
import type { Loadable } from './loadable';

/** Says that data loads, that it could not be read, or since when it stands still. Shows nothing when all is well. */
export function LoadNotice({ of: { data, status, refusal, reload } }: { of: Loadable<unknown> }) {
  const messages = useMessages();
  const texts = useOpsTexts();
  if (status === 'loading') return data === undefined ? <ViewSpinner /> : null;
  if (status === 'ready') return <StaleNotice />;
  return (
    <div class="view-notice" role="alert" data-testid="view-notice">
      <p>{refusal ?? texts.failed}</p>
      {refusal === undefined && (
        <button type="button" class="button" onClick={reload}>
          {messages.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Says since when the figures of the screen stand still. */
function StaleNotice() {
  const locale = useLocale();
  const texts = useOpsTexts();
  const { store } = useOps();
  const isStale = useStore(store, state => state.live === 'stale');
  const at = useStore(store, state => state.liveAt);
  if (!isStale || at === undefined) return null;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(at);
  return (
    <div class="view-notice" role="status" data-testid="stale-notice">
      <p>{texts.staleSince(time)}</p>
    </div>
  );
}
