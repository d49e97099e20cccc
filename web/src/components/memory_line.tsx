import { useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import { useMessages } from '../i18n/language_context';
import { addMemory, forgetMemory } from '../views/memory/memory_api';
import { Icon } from './icon';
import { memo } from './memo';
import type { MemoryResult } from './memory_result';

/** State of the button: what the person did with the memory on this page. */
type Deed = 'sending' | 'forgotten' | 'saved' | 'failed';

/** Shows in one line what a tool has remembered, with a button that takes it back, or saves a near duplicate all the same. */
export const MemoryLine = memo(({ result }: { result: MemoryResult }) => {
  const messages = useMessages();
  const [deed, setDeed] = useState<Deed>();
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
  const status = deed === 'forgotten' ? 'forgotten' : deed === 'saved' ? 'remembered' : result.status;
  const text = deed === 'saved' && proposed ? proposed.text : memory.text;
  const isSending = deed === 'sending';
  return (
    <section class="memory-line" data-testid="memory-line" data-status={status}>
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
