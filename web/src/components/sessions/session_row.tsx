import { useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { formatMinute } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { ROOT } from '../../platform/root';
import { useStore } from '../../platform/store';
import { isPerson } from '../../state/chat_people';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { RenameField } from './rename_field';

const SharedMark = lazy(async () => (await import('../../feature/chat/person_marks')).SharedMark);
const RowMenu = lazy(async () => (await import('./row_menu')).RowMenu);

interface SessionRowProps {
  controller: ChatController;
  session: SessionSummary;
  isCurrent: boolean;
  /** What the agent of the chat does. */
  state: 'idle' | 'running' | 'waiting';
  /** Absent while no chats are being selected. */
  isSelected: boolean | undefined;
  onOpen: () => void;
  onRemove: () => void;
  onSelect: () => void;
}

/** Shows one chat of the list: a link to it, and a button with its menu. */
export function SessionRow({ controller, session, isCurrent, state, isSelected, onOpen, onRemove, onSelect }: SessionRowProps) {
  const messages = useMessages();
  const locale = useLocale();
  const [renaming, setRenaming] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hasMarks = useStore(controller.store, isPerson);
  const title = session.title || messages.untitled;
  if (renaming) {
    return (
      <li class="session-row">
        <RenameField
          title={session.title}
          onDone={next => {
            setRenaming(false);
            if (next && next !== session.title) void controller.sessions.rename(session.id, next);
          }}
        />
      </li>
    );
  }
  const isSelecting = isSelected !== undefined;
  return (
    <li class={isCurrent ? 'session-row current' : 'session-row'} data-testid="session-row" data-session-id={session.id}>
      {isSelecting && <input type="checkbox" class="row-check" checked={isSelected} aria-label={title} tabIndex={-1} onChange={onSelect} />}
      <a
        href={`${ROOT}?session=${encodeURIComponent(session.id)}`}
        class="session-link"
        aria-current={isCurrent ? 'page' : undefined}
        title={`${title}\n${formatMinute(session.updatedAt, locale)}`}
        data-roving
        onClick={onPlainClick(isSelecting ? onSelect : onOpen)}
      >
        {session.origin?.jobId !== undefined && <JobMark />}
        <span class="session-title">{title}</span>
        {hasMarks && <SharedMark controller={controller} session={session} />}
        {state === 'waiting' && <StateDot name="waiting" text={messages.questionNeedsYou} />}
        {state === 'running' && <StateDot name="running" text={messages.agentWorks} />}
      </a>
      {!isSelecting && (
        <button
          type="button"
          ref={button}
          class="icon-button small row-menu-button"
          aria-label={messages.chatMenu(title)}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          tabIndex={-1}
          data-testid="chat-menu"
          onClick={() => setMenuOpen(true)}
        >
          <Icon name="more" />
        </button>
      )}
      {isMenuOpen && (
        <RowMenu
          controller={controller}
          session={session}
          anchor={button.current}
          onRename={() => setRenaming(true)}
          onRemove={onRemove}
          onSelect={onSelect}
          onClose={() => setMenuOpen(false)}
        />
      )}
    </li>
  );
}

function JobMark() {
  const messages = useMessages();
  return (
    <span class="job-mark" title={messages.madeByJob} data-testid="job-mark">
      <Icon name="jobs" />
      <span class="visually-hidden">{messages.madeByJob}</span>
    </span>
  );
}

function StateDot({ name, text }: { name: 'waiting' | 'running'; text: string }) {
  return (
    <span class={`${name}-dot`} title={text} data-testid={`${name}-dot`}>
      <span class="visually-hidden">{text}</span>
    </span>
  );
}
