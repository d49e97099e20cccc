import { useEffect } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { type Store, useStore } from '../../platform/store';
import type { AppState } from '../../state/app_state';
import { Icon } from './icon';

const SHOWN_MS = 6000;

/** The page that shows short notices. */
interface NoticeHost {
  readonly store: Store<Pick<AppState, 'notice'>>;
  dismissNotice(): void;
}

export function NoticeToast({ controller }: { controller: NoticeHost }) {
  const messages = useMessages();
  const notice = useStore(controller.store, state => state.notice);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(controller.dismissNotice, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, controller]);
  return (
    <div class="toast-area" role="status">
      {notice && (
        <div class="toast" data-testid="notice">
          <span>{notice.text}</span>
          <button type="button" class="icon-button small" aria-label={messages.close} onClick={controller.dismissNotice}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
