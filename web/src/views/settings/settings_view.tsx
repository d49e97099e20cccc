import type { ComponentChildren } from 'preact';
import { FirstAccount } from '../../auth/first_account';
import { loginTexts } from '../../auth/login_texts';
import { OwnLogins } from '../../auth/own_logins';
import type { ChatController } from '../../chat/chat_controller';
import type { ViewProps } from '../../chat/view_props';
import { SelectField } from '../../components/basic/form_field';
import { VoiceSettings } from '../../feature/voice/voice_settings';
import { voiceTexts } from '../../feature/voice/voice_texts';
import { useLocale } from '../../i18n/language_context';
import { NoticeSettings } from '../../notices/notice_settings';
import { noticeTexts } from '../../notices/notice_texts';
import { OfflineSettings } from '../../offline/offline_settings';
import { offlineTexts } from '../../offline/offline_texts';
import type { Preferences } from '../../platform/preferences';
import { nameSendKey } from '../../platform/send_key';
import { type Store, useStore } from '../../platform/store';
import { settingsTexts } from './settings_texts';
import './settings.css';

/** Each language in its own words. */
const LANGUAGES = [
  { value: 'en', text: 'English' },
  { value: 'zh-CN', text: '中文' },
] as const;

/** Shows what a person can choose for this browser. A choice applies at once. */
export function SettingsView({ controller }: ViewProps) {
  return (
    <div class="settings">
      <Appearance preferences={controller.preferences} />
      <Notices preferences={controller.preferences} />
      <Voice controller={controller} />
      <Offline preferences={controller.preferences} />
      <Keys controller={controller} />
      <Logins controller={controller} />
    </div>
  );
}

function Appearance({ preferences }: { preferences: Store<Preferences> }) {
  const texts = settingsTexts[useLocale()];
  const { locale, theme, density } = useStore(preferences, state => state);
  return (
    <SettingsPart title={texts.appearance}>
      <SelectField
        label={texts.language}
        value={locale}
        options={LANGUAGES}
        testId="setting-language"
        onChange={value => preferences.set({ locale: value })}
      />
      <SelectField
        label={texts.theme}
        value={theme}
        options={toOptions(texts.themes)}
        testId="setting-theme"
        onChange={value => preferences.set({ theme: value })}
      />
      <SelectField
        label={texts.density}
        hint={texts.densityHint}
        value={density}
        options={toOptions(texts.densities)}
        testId="setting-density"
        onChange={value => preferences.set({ density: value })}
      />
    </SettingsPart>
  );
}

function Notices({ preferences }: { preferences: Store<Preferences> }) {
  const { title } = noticeTexts[useLocale()];
  return (
    <SettingsPart title={title}>
      <NoticeSettings preferences={preferences} />
    </SettingsPart>
  );
}

function Voice({ controller }: { controller: ChatController }) {
  const { settingsTitle } = voiceTexts[useLocale()];
  return (
    <SettingsPart title={settingsTitle}>
      <VoiceSettings controller={controller} />
    </SettingsPart>
  );
}

function Offline({ preferences }: { preferences: Store<Preferences> }) {
  const { settingsTitle } = offlineTexts[useLocale()];
  return (
    <SettingsPart title={settingsTitle}>
      <OfflineSettings preferences={preferences} />
    </SettingsPart>
  );
}

function Keys({ controller }: { controller: ChatController }) {
  const { preferences } = controller;
  const texts = settingsTexts[useLocale()];
  const sendKey = useStore(preferences, state => state.sendKey);
  return (
    <SettingsPart title={texts.keys}>
      <SelectField
        label={texts.sendKey}
        hint={texts.sendKeyHint(sendKey === 'enter' ? 'Shift + Enter' : 'Enter')}
        value={sendKey}
        options={(['enter', 'mod_enter'] as const).map(value => ({ value, text: nameSendKey(value) }))}
        testId="setting-send-key"
        onChange={value => preferences.set({ sendKey: value })}
      />
      <button type="button" class="button" data-testid="show-shortcuts" onClick={() => controller.setSheetOpen(true)}>
        {texts.showShortcuts}
      </button>
    </SettingsPart>
  );
}

/** For a person with an account, and for whoever may make the first one. */
function Logins({ controller }: { controller: ChatController }) {
  const texts = loginTexts[useLocale()];
  const me = useStore(controller.store, state => state.me);
  if (me?.loginRequired === false) {
    return (
      <SettingsPart title={texts.firstAccount}>
        <FirstAccount />
      </SettingsPart>
    );
  }
  if (!me?.person) return null;
  return (
    <SettingsPart title={texts.ownLogins}>
      <OwnLogins person={me.person} />
    </SettingsPart>
  );
}

function SettingsPart({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="settings-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const toOptions = <T extends string>(texts: Readonly<Record<T, string>>) =>
  Object.entries<string>(texts).map(([value, text]) => ({ value: value as T, text }));
