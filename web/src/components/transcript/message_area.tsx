/** What a person can do with a message and its answer: copy it, edit it, answer again, continue, and move between the branches that begin there. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { isOver, type Turn } from '../../state/view_types';
import { CopyButton } from '../basic/copy_button';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';

const MessageEditor = lazy(async () => (await import('./message_editor')).MessageEditor);

interface MessageAreaProps {
  turn: Turn;
  controller: ChatController;
  /** The message. */
  children: ComponentChildren;
}

/** Shows a message with its buttons, or the field in which the person edits it. */
export function MessageArea({ turn, controller, children }: MessageAreaProps) {
  const isEdited = useStore(controller.store, state => turn.runId !== undefined && state.editedRunId === turn.runId);
  if (isEdited) return <MessageEditor turn={turn} controller={controller} />;
  return (
    <>
      {children}
      {isOver(turn) && <MessageActions turn={turn} controller={controller} />}
    </>
  );
}

interface ActionsProps {
  turn: Turn;
  controller: ChatController;
}

function MessageActions({ turn, controller }: ActionsProps) {
  const messages = useMessages();
  const canBranch = useScope('branch');
  return (
    <div class="message-actions">
      <span class="on-demand">
        <CopyButton text={() => turn.input} label={messages.copyMessage} />
        {canBranch && (
          <button
            type="button"
            class="icon-button small"
            title={messages.editMessage}
            aria-label={messages.editMessage}
            data-testid="edit-sent"
            onClick={() => controller.edit(turn.runId)}
          >
            <Icon name="pencil" />
          </button>
        )}
      </span>
      <BranchSwitcher turn={turn} controller={controller} />
    </div>
  );
}

/** Names the branch that is shown, and leads to its neighbours. */
function BranchSwitcher({ turn, controller }: ActionsProps) {
  const messages = useMessages();
  const runs = useStore(controller.store, ({ branchPlaces }) => branchPlaces.find(place => isIn(place.runs, turn))?.runs);
  const group = useRef<HTMLSpanElement>(null);
  const takesFocus = useStore(controller.store, ({ switchedRunId }) => runs !== undefined && switchedRunId === turn.runId);
  useLayoutEffect(() => {
    if (!takesFocus) return;
    // The button that was pressed went away with the branch before.
    group.current?.querySelector<HTMLElement>('button:enabled')?.focus({ preventScroll: true });
    controller.store.set({ switchedRunId: undefined });
  }, [takesFocus]);
  if (!runs || runs.length < 2) return null;
  const index = runs.findIndex(({ runId }) => runId === turn.runId);
  const step = (by: -1 | 1, label: string, name: 'previous' | 'next') => {
    const run = runs[index + by];
    return (
      <button
        type="button"
        class="icon-button small"
        title={label}
        aria-label={label}
        disabled={!run}
        data-testid={`${name}-branch`}
        onClick={() => run && void controller.branches.show(turn, run)}
      >
        <Icon name={name === 'next' ? 'chevron' : 'previous'} />
      </button>
    );
  };
  return (
    <span class="branch-switcher" ref={group}>
      {step(-1, messages.previousBranch, 'previous')}
      <span data-testid="branch-number">
        <span aria-hidden="true">{`${index + 1}/${runs.length}`}</span>
        <span class="visually-hidden">{messages.branchNumber(index + 1, runs.length)}</span>
      </span>
      {step(1, messages.nextBranch, 'next')}
    </span>
  );
}

const isIn = (runs: readonly { runId: string }[], turn: Turn): boolean => runs.some(({ runId }) => runId === turn.runId);

interface NextActionsProps extends ActionsProps {
  /** True for the last turn, which a person can continue. */
  isLast: boolean;
}

/** Offers to answer the message again, and to continue a run that was stopped. A failed run offers a retry at its error. */
export function NextActions({ turn, isLast, controller }: NextActionsProps) {
  const messages = useMessages();
  const canChat = useScope('chat');
  const canBranch = useScope('branch');
  if (!canChat || turn.state === 'failed') return null;
  return (
    <>
      {canBranch && (
        <button
          type="button"
          class="icon-button small"
          title={messages.regenerateNote}
          aria-label={messages.regenerate}
          data-testid="regenerate"
          onClick={() => void controller.branches.resend(turn, turn.input)}
        >
          <Icon name="retry" />
        </button>
      )}
      {isLast && turn.state === 'cancelled' && (
        <button type="button" class="link-button" data-testid="continue" onClick={() => controller.send(messages.continueRequest)}>
          {messages.continueRun}
        </button>
      )}
    </>
  );
}
