import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import { formatWhen } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { ROOT } from '../../platform/root';
import { Icon } from '../basic/icon';
import { RenameField } from './rename_field';

interface SessionRowProps {
  session: SessionSummary;
  isCurrent: boolean;
  /** True while the agent of the chat waits for an answer. */
  isWaiting: boolean;
  onOpen: () => void;
  onRename: (title: string) => void;
  onRemove: () => void;
}

/** Shows one chat of the list: a link to it, and buttons to rename and delete it. */
export function SessionRow({ session, isCurrent, isWaiting, onOpen, onRename, onRemove }: SessionRowProps) {
  const messages = useMessages();
  const locale = useLocale();
  const [renaming, setRenaming] = useState(false);
  const title = session.title || messages.untitled;
  if (renaming) {
    return (
      <li class="session-row">
        <RenameField
          title={session.title}
          onDone={next => {
            setRenaming(false);
            if (next && next !== session.title) onRename(next);
          }}
        />
      </li>
    );
  }
  return (
    <li class={isCurrent ? 'session-row current' : 'session-row'} data-testid="session-row" data-session-id={session.id}>
      <a
        href={`${ROOT}?session=${encodeURIComponent(session.id)}`}
        class="session-link"
        aria-current={isCurrent ? 'page' : undefined}
        title={title}
        onClick={onPlainClick(onOpen)}
      >
        {session.origin?.jobId !== undefined && <JobMark />}
        <span class="session-title">{title}</span>
        {isWaiting && <WaitingDot />}
        <time dateTime={session.updatedAt}>{formatWhen(session.updatedAt, new Date(), locale)}</time>
      </a>
      <RowActions title={title} onRename={() => setRenaming(true)} onRemove={onRemove} />
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

function WaitingDot() {
  const messages = useMessages();
  return (
    <span class="waiting-dot" title={messages.questionNeedsYou} data-testid="waiting-dot">
      <span class="visually-hidden">{messages.questionNeedsYou}</span>
    </span>
  );
}

interface RowActionsProps {
  title: string;
  onRename: () => void;
  onRemove: () => void;
}

function RowActions({ title, onRename, onRemove }: RowActionsProps) {
  const messages = useMessages();
  return (
    <span class="session-actions">
      <button
        type="button"
        class="icon-button small"
        aria-label={`${messages.rename}: ${title}`}
        title={messages.rename}
        data-testid="rename-session"
        onClick={onRename}
      >
        <Icon name="pencil" />
      </button>
      <button
        type="button"
        class="icon-button small"
        aria-label={`${messages.remove}: ${title}`}
        title={messages.remove}
        data-testid="delete-session"
        onClick={onRemove}
      >
        <Icon name="trash" />
      </button>
    </span>
  );
}
