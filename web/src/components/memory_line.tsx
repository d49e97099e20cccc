import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import { useMessages } from '../i18n/language_context';
import { addMemory, forgetMemory, hasMemory } from '../views/memory/memory_api';
import { Icon } from './icon';
import { memo } from './memo';
import type { MemoryResult } from './memory_result';

/** What became of the memory: what the person did with it on this page, or `gone` when it was deleted before. */
type Deed = 'sending' | 'forgotten' | 'saved' | 'failed' | 'gone';

/** Shows in one line what a tool has remembered, with a button that takes it back, or saves a near duplicate all the same. */
export const MemoryLine = memo(({ result }: { result: MemoryResult }) => {
  const messages = useMessages();
  const [deed, setDeed] = useState<Deed>();
  const line = useFocusOn(deed === 'forgotten' || deed === 'saved');
  useGone(result, () => setDeed(before => before ?? 'gone'));
  const attempt = async (request: () => Promise<unknown>, done: Deed) => {
    setDeed('sending');
    try {
      await request();
      setDeed(done);
    } catch {
      setDeed('failed');
    }
  };
  const { memory, proposed } = result;
  // The line says what holds now, also after the person has changed it.
  const status = deed === 'forgotten' || deed === 'gone' ? 'forgotten' : deed === 'saved' ? 'remembered' : result.status;
  const text = deed === 'saved' && proposed ? proposed.text : memory.text;
  const isSending = deed === 'sending';
  return (
    <section ref={line} class="memory-line" tabIndex={-1} data-testid="memory-line" data-status={status}>
      <span class="tool-icon">
        <Icon name="memory" />
      </span>
      <p>
        <span class="memory-lead">{messages.memoryStatus[status]}</span> <span class={status === 'forgotten' ? 'gone' : ''}>{text}</span>{' '}
        {status === 'remembered' && deed !== 'saved' && (
          <DeedButton id="forget" isSending={isSending} onDo={() => void attempt(() => forgetOnce(memory.id), 'forgotten')}>
            {messages.forgetMemory}
          </DeedButton>
        )}
        {status === 'known' && proposed && (
          <DeedButton
            id="save-anyway"
            isSending={isSending}
            onDo={() => void attempt(() => addMemory({ ...proposed, force: true }), 'saved')}
          >
            {messages.saveMemoryAnyway}
          </DeedButton>
        )}
        <span class={deed === 'failed' ? 'memory-note' : 'visually-hidden'} role="status" data-testid="memory-note">
          {deed === 'forgotten' && messages.memoryForgotten}
          {deed === 'saved' && messages.memorySaved}
          {deed === 'failed' && messages.requestFailed}
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

interface DeedButtonProps {
  id: string;
  isSending: boolean;
  onDo: () => void;
  children: string;
}

function DeedButton({ id, isSending, onDo, children }: DeedButtonProps) {
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
