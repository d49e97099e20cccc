import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../chat/chat_controller';
import { useMessages } from '../i18n/language_context';
import { hasKeyboard } from '../platform/has_keyboard';
import { useStore } from '../state/store';
import { findActiveTurn } from '../state/view_types';
import { Icon } from './icon';

/** Characters the gateway takes in one message. */
const MAX_LENGTH = 200_000;

export function Composer({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const activeRunId = useStore(controller.store, state => findActiveTurn(state.view)?.runId);
  const stoppingRunId = useStore(controller.store, state => state.stoppingRunId);
  const sessionId = useStore(controller.store, state => state.sessionId);
  const phase = useStore(controller.store, state => state.phase);
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowing(field, text);
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, [sessionId]);

  const isUsable = phase === 'ready' || phase === 'loading';
  const canSend = isUsable && text.trim() !== '';
  const send = () => {
    if (!canSend) return;
    controller.send(text.trim());
    setText('');
    field.current?.focus({ preventScroll: true });
  };

  return (
    <div class="composer-area">
      <form
        class="composer"
        onSubmit={event => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          id="composer"
          ref={field}
          rows={1}
          value={text}
          maxLength={MAX_LENGTH}
          disabled={!isUsable}
          aria-label={messages.composerLabel}
          placeholder={activeRunId ? messages.composerBusyPlaceholder : messages.composerPlaceholder}
          data-testid="composer"
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={event => {
            // An input method uses Enter and Escape for its own candidates; 229 is how older browsers say so.
            if (event.isComposing || event.keyCode === 229) return;
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            send();
          }}
        />
        {activeRunId && (
          <button
            type="button"
            class="button stop"
            data-testid="stop"
            aria-label={messages.stop}
            disabled={stoppingRunId === activeRunId}
            onClick={() => void controller.stop(activeRunId)}
          >
            <Icon name="stop" />
            <span>{stoppingRunId === activeRunId ? messages.stopping : messages.stop}</span>
          </button>
        )}
        <button type="submit" class="send-button" aria-label={messages.send} title={messages.send} disabled={!canSend} data-testid="send">
          <Icon name="send" />
        </button>
      </form>
      <p class="composer-hint">{activeRunId ? messages.composerBusyHint : messages.composerHint}</p>
    </div>
  );
}

/** The field is as high as its text; the style sheet sets the limit. */
function useGrowing(field: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
}
