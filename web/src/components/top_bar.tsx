import { THINKING_LEVELS, type ThinkingLevel } from '../api/rest_types';
import type { ChatController } from '../chat/chat_controller';
import { useMessages } from '../i18n/language_context';
import type { Locale, Preferences, Theme } from '../platform/preferences';
import { type Store, useStore } from '../state/store';
import { Icon, type IconName } from './icon';
import { memo } from './memo';

const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };
const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

interface TopBarProps {
  controller: ChatController;
  preferences: Store<Preferences>;
  isDrawerOpen: boolean;
}

export const TopBar = memo(({ controller, preferences, isDrawerOpen }: TopBarProps) => {
  const messages = useMessages();
  const title = useStore(controller.store, state => state.sessions.find(session => session.id === state.sessionId)?.title);
  const theme = useStore(preferences, state => state.theme);
  const locale = useStore(preferences, state => state.locale);
  return (
    <header class="top-bar">
      <button
        type="button"
        class="icon-button drawer-open"
        aria-label={messages.openSessions}
        aria-expanded={isDrawerOpen}
        data-testid="open-sessions"
        onClick={() => controller.setDrawerOpen(true)}
      >
        <Icon name="menu" />
      </button>
      <h1 class="chat-title" data-testid="chat-title">
        {title || messages.newChat}
      </h1>
      <ModelLabel controller={controller} />
      <ThinkingSelect controller={controller} />
      <select
        class="quiet-select"
        aria-label={messages.switchLanguage}
        data-testid="language"
        value={locale}
        onChange={event => preferences.set({ locale: event.currentTarget.value as Locale })}
      >
        <option value="en">EN</option>
        <option value="zh-CN">中文</option>
      </select>
      <button
        type="button"
        class="icon-button"
        aria-label={`${messages.switchTheme}. ${messages.theme[theme]}`}
        title={messages.theme[theme]}
        data-testid="theme"
        onClick={() => preferences.set({ theme: NEXT_THEME[theme] })}
      >
        <Icon name={THEME_ICONS[theme]} />
      </button>
    </header>
  );
});

function ModelLabel({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const info = useStore(controller.store, state => state.info);
  const last = useStore(controller.store, state => state.view.turns.findLast(turn => turn.model !== undefined));
  const model = last?.model ?? info?.model.model;
  const isDemo = last?.model === undefined ? info?.model.demo : last.demo;
  if (isDemo) {
    return (
      <span class="badge demo" title={messages.demoExplanation} data-testid="demo-badge">
        {messages.demoBadge}
      </span>
    );
  }
  return model ? (
    <span class="badge" title={`${messages.model}: ${model}`} data-testid="model-label">
      {model}
    </span>
  ) : null;
}

function ThinkingSelect({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const level = useStore(controller.store, state => state.thinkingLevel);
  return (
    <label class="thinking-select">
      <span>{messages.thinkingLevel}</span>
      <select
        class="quiet-select"
        value={level}
        data-testid="thinking-level"
        onChange={event => void controller.setThinkingLevel(event.currentTarget.value as ThinkingLevel)}
      >
        {THINKING_LEVELS.map(option => (
          <option key={option} value={option}>
            {messages.thinkingLevels[option]}
          </option>
        ))}
      </select>
    </label>
  );
}
