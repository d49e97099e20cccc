/** Says that the page shows copies of this device. */
import { formatMinute } from '../i18n/format';
import { useLocale } from '../i18n/language_context';
import { type Store, useStore } from '../platform/store';
import type { AppState } from '../state/app_state';
import { offlineTexts } from './offline_texts';

export function KeptChatNote({ store }: { store: Store<AppState> }) {
  const locale = useLocale();
  const keptAt = useStore(store, state => state.keptAt);
  if (keptAt === undefined) return null;
  return (
    <p class="session-origin" role="status" data-testid="kept-chat">
      {offlineTexts[locale].keptChat(formatMinute(new Date(keptAt).toISOString(), locale))}
    </p>
  );
}

export function KeptListNote() {
  return (
    <p class="sessions-empty" data-testid="kept-list">
      {offlineTexts[useLocale()].keptList}
    </p>
  );
}
