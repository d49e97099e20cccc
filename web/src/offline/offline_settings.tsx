import { useLocale } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import { offlineTexts } from './offline_texts';

/** Switches the copies of chats on this device on and off. Off removes them. */
export function OfflineSettings({ preferences }: { preferences: Store<Preferences> }) {
  const texts = offlineTexts[useLocale()];
  const keepChats = useStore(preferences, state => state.keepChats);
  return (
    <>
      <p class="settings-about">{texts.keepChatsAbout}</p>
      <label class="settings-check">
        <input
          type="checkbox"
          checked={keepChats === 'on'}
          data-testid="setting-keep-chats"
          onChange={event => preferences.set({ keepChats: event.currentTarget.checked ? 'on' : 'off' })}
        />
        {texts.keepChats}
      </label>
    </>
  );
}
