import { useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import { noticeTexts } from './notice_texts';
import { playSound } from './play_sound';
import { PushSetting } from './push_setting';

/** Turns notifications and sounds on and off. Only the press on the box asks the browser for its permission. */
export function NoticeSettings({ preferences }: { preferences: Store<Preferences> }) {
  const texts = noticeTexts[useLocale()];
  const { notifications, sounds } = useStore(preferences, state => state);
  const [permission, setPermission] = useState(readPermission);
  const isAllowed = permission === 'granted' || permission === 'default';
  const changeNotifications = async (isOn: boolean) => {
    const answer = isOn ? await Notification.requestPermission() : permission;
    setPermission(answer);
    preferences.set({ notifications: isOn && answer === 'granted' ? 'on' : 'off' });
  };
  return (
    <>
      <p class="settings-about">{texts.about}</p>
      <label class="settings-check">
        <input
          type="checkbox"
          checked={notifications === 'on' && permission === 'granted'}
          disabled={!isAllowed}
          data-testid="setting-notifications"
          onChange={event => void changeNotifications(event.currentTarget.checked)}
        />
        {texts.notifications}
      </label>
      <p class="field-hint" role="status" data-testid="notification-problem">
        {permission === 'denied' ? texts.denied : permission === undefined && texts.unsupported}
      </p>
      <label class="settings-check">
        <input
          type="checkbox"
          checked={sounds === 'on'}
          data-testid="setting-sounds"
          onChange={event => {
            preferences.set({ sounds: event.currentTarget.checked ? 'on' : 'off' });
            if (event.currentTarget.checked) playSound();
          }}
        />
        {texts.sounds}
      </label>
      <PushSetting />
    </>
  );
}

/** Undefined: the browser offers this page no notifications. */
function readPermission(): NotificationPermission | undefined {
  return typeof Notification === 'undefined' || !isSecureContext ? undefined : Notification.permission;
}
