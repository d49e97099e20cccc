import { useRef, useState } from 'preact/hooks';
import { THINKING_LEVELS, type ThinkingLevel } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import type { Preferences } from '../../platform/preferences';
import { type Store, useStore } from '../../platform/store';
import { type OpenView, viewHref } from '../../platform/view_url';
import { findTitle } from '../../state/app_state';
import { isPerson, mayWrite, partInChat } from '../../state/chat_people';
import { createChangeCounter, isDelegation } from '../../state/file_changes';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { PreferenceControls } from '../basic/preference_controls';
import { ModelSelect } from './model_select';

const SETTINGS: OpenView = { name: 'settings' };

interface TopBarProps {
  controller: ChatController;
  preferences: Store<Preferences>;
  isDrawerOpen: boolean;
  /** True while a view lies over the chat. */
  isBehindView: boolean;
}

export const TopBar = memo(({ controller, preferences, isDrawerOpen, isBehindView }: TopBarProps) => {
  const messages = useMessages();
  const title = useStore(controller.store, findTitle);
  const canWrite = useStore(controller.store, state => mayWrite(partInChat(state)));
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
      {isBehindView ? (
        <button type="button" class="back-button" data-testid="back-to-chat" onClick={() => controller.openView(undefined)}>
          <Icon name="back" />
          {messages.backToChat}
        </button>
      ) : (
        <>
          <h1 class="chat-title" data-testid="chat-title">
            {title || messages.newChat}
          </h1>
          <ModelPart controller={controller} />
          {canWrite && <ThinkingSelect controller={controller} />}
          <ChangesPart controller={controller} />
          <PeoplePart controller={controller} />
          <ChatOptions controller={controller} />
        </>
      )}
      <PreferenceControls preferences={preferences} />
      <SettingsLink controller={controller} />
    </header>
  );
});

const PeopleButton = lazy(async () => (await import('../../feature/chat/people_button')).PeopleButton);

/** People have parts in a stored chat; keys have none. */
function PeoplePart({ controller }: { controller: ChatController }) {
  const hasPeople = useStore(
    controller.store,
    state => isPerson(state) && state.openSession !== undefined && state.openSession.id === state.sessionId && !state.isTemporary,
  );
  return hasPeople ? <PeopleButton controller={controller} /> : null;
}

const ChatMenu = lazy(async () => (await import('../../feature/chat/chat_menu')).ChatMenu);

function ChatOptions({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        ref={button}
        class="icon-button"
        aria-label={messages.chatOptions}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-testid="chat-options"
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
      </button>
      {isOpen && <ChatMenu controller={controller} anchor={button.current} onClose={() => setOpen(false)} />}
    </>
  );
}

function SettingsLink({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const isOpen = useStore(controller.store, state => state.openView?.name === SETTINGS.name);
  return (
    <a
      href={viewHref(SETTINGS)}
      class="icon-button"
      aria-label={messages.viewTitles.settings}
      title={messages.viewTitles.settings}
      aria-current={isOpen ? 'page' : undefined}
      data-testid="open-settings"
      onClick={onPlainClick(() => controller.openView(SETTINGS))}
    >
      <Icon name="settings" />
    </a>
  );
}

const ChangesDrawer = lazy(async () => (await import('../../feature/changes/changes_drawer')).ChangesDrawer);

/** Opens the list of the file changes of this chat. It is there once the chat has changed a file, or had a crew, whose changes are not counted. */
function ChangesPart({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [countChanges] = useState(createChangeCounter);
  const count = useStore(controller.store, ({ view }) => countChanges(view));
  const [countTasks] = useState(() => createChangeCounter(isDelegation));
  const hasCrew = useStore(controller.store, ({ view }) => countTasks(view) > 0);
  const isPart = useStore(controller.store, state => state.hasEarlierTurns) || hasCrew;
  if (count === 0 && !hasCrew && !isOpen) return null;
  const shown = isPart ? `${count}+` : String(count);
  return (
    <>
      <button
        type="button"
        class="quiet-button changes-button"
        aria-label={messages.fileChanges(shown)}
        aria-haspopup="dialog"
        title={messages.fileChanges(shown)}
        data-testid="open-changes"
        onClick={() => setOpen(true)}
      >
        <Icon name="patch" />
        {count > 0 && shown}
      </button>
      {isOpen && <ChangesDrawer controller={controller} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Offers the models when there is a choice; otherwise it names the model that answers. */
function ModelPart({ controller }: { controller: ChatController }) {
  const hasChoice = useStore(controller.store, state => state.models.length > 1 && mayWrite(partInChat(state)));
  return hasChoice ? <ModelSelect controller={controller} /> : <ModelLabel controller={controller} />;
}

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
