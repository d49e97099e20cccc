import { useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import { useMessages } from '../i18n/language_context';
import { addMemory, forgetMemory } from '../views/memory/memory_api';
import { Icon } from './icon';
import { memo } from './memo';
import type { MemoryResult } from './memory_result';

/** What the person did here with the memory. */
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
  const isOffered = deed === undefined || deed === 'sending' || deed === 'failed';
  const { status, memory, proposed } = result;
  return (
    <section class="memory-line" data-testid="memory-line" data-status={status}>
      <span class="tool-icon">
        <Icon name="memory" />
      </span>
      <p>
        <span class="memory-lead">{messages.memoryStatus[status]}</span>{' '}
        <span class={deed === 'forgotten' ? 'gone' : ''}>{memory.text}</span>
      </p>
      {isOffered && status === 'remembered' && (
        <button
          type="button"
          class="link-button"
          data-testid="forget"
          aria-disabled={deed === 'sending'}
          onClick={() => deed !== 'sending' && void attempt(() => forgetOnce(memory.id), 'forgotten')}
        >
          {messages.forgetMemory}
        </button>
      )}
      {isOffered && status === 'known' && proposed && (
        <button
          type="button"
          class="link-button"
          data-testid="save-anyway"
          aria-disabled={deed === 'sending'}
          onClick={() => deed !== 'sending' && void attempt(() => addMemory({ ...proposed, force: true }), 'saved')}
        >
          {messages.saveMemoryAnyway}
        </button>
      )}
      <span class="memory-note" role="status" data-testid="memory-note">
        {deed === 'forgotten' && messages.memoryForgotten}
        {deed === 'saved' && messages.memorySaved}
        {deed === 'failed' && messages.requestFailed}
      </span>
    </section>
  );
});

/** A memory that is gone already counts as forgotten. */
async function forgetOnce(id: string): Promise<void> {
  await forgetMemory(id).catch((error: unknown) => {
    if (!(error instanceof RequestError) || error.code !== 'not_found') throw error;
  });
}
