import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import { Icon } from '../../components/basic/icon';
import { memo } from '../../components/basic/memo';
import { useMessages } from '../../i18n/language_context';
import { addMemory, forgetMemory, hasMemory } from './memory_api';
import type { MemoryResult } from './memory_result';

/** The state of the memory: the action of the person on this page, or `gone` when it was deleted before. */
type Action = 'sending' | 'forgotten' | 'saved' | 'failed' | 'gone';

/** Shows in one line what a tool has remembered, with a button that takes it back, or saves a near duplicate all the same. */
export const MemoryLine = memo(({ result }: { result: MemoryResult }) => {
  const messages = useMessages();
  const [action, setAction] = useState<Action>();
  const line = useFocusOn(action === 'forgotten' || action === 'saved');
  useGone(result, () => setAction(before => before ?? 'gone'));
  const attempt = async (request: () => Promise<unknown>, done: Action) => {
    setAction('sending');
    try {
      await request();
      setAction(done);
    } catch {
      setAction('failed');
    }
  };
  const { memory, proposed } = result;
  // The line shows the present state, also after the person has changed it.
  const status = action === 'forgotten' || action === 'gone' ? 'forgotten' : action === 'saved' ? 'remembered' : result.status;
  const text = action === 'saved' && proposed ? proposed.text : memory.text;
  const isSending = action === 'sending';
  return (
    <section ref={line} class="memory-line" tabIndex={-1} data-testid="memory-line" data-status={status}>
      <span class="tool-icon">
        <Icon name="memory" />
      </span>
      <p>
        <span class="memory-lead">{messages.memoryStatus[status]}</span> <span class={status === 'forgotten' ? 'gone' : ''}>{text}</span>{' '}
        {status === 'remembered' && action !== 'saved' && (
          <ActionButton id="forget" isSending={isSending} onDo={() => void attempt(() => forgetOnce(memory.id), 'forgotten')}>
            {messages.forgetMemory}
          </ActionButton>
        )}
        {status === 'known' && proposed && (
          <ActionButton
            id="save-anyway"
            isSending={isSending}
            onDo={() => void attempt(() => addMemory({ ...proposed, force: true }), 'saved')}
          >
            {messages.saveMemoryAnyway}
          </ActionButton>
        )}
        <span class={action === 'failed' ? 'memory-note' : 'visually-hidden'} role="status" data-testid="memory-note">
          {action === 'forgotten' && messages.memoryForgotten}
          {action === 'saved' && messages.memorySaved}
          {action === 'failed' && messages.requestFailed}
        </span>
      </p>
    </section>
  );
});

/** Asks whether the memory is still there: the person may have deleted it since, in the view or before a reload. */
function useGone({ status, memory: { id } }: MemoryResult, onGone: () => void): void {
  useEffect(() => {
    if (status !== 'remembered') return;
    let isShown = true;
    hasMemory(id).then(
      isThere => isShown && !isThere && onGone(),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [status, id]);
}

/** Keeps the focus on the line when the button that had it goes away. */
function useFocusOn(isDone: boolean) {
  const line = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isDone) line.current?.focus({ preventScroll: true });
  }, [isDone]);
  return line;
}

interface ActionButtonProps {
  id: string;
  isSending: boolean;
  onDo: () => void;
  children: string;
}

function ActionButton({ id, isSending, onDo, children }: ActionButtonProps) {
  return (
    <button type="button" class="link-button" data-testid={id} aria-disabled={isSending} onClick={() => !isSending && onDo()}>
      {children}
    </button>
  );
}

/** A memory that is gone already counts as forgotten. */
async function forgetOnce(id: string): Promise<void> {
  await forgetMemory(id).catch((error: unknown) => {
    if (!(error instanceof RequestError) || error.code !== 'not_found') throw error;
  });
}
