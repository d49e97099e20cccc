import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { isSendKey } from '../../platform/send_key';
import type { Turn } from '../../state/view_types';
import { useFormDraft } from '../basic/use_form_draft';
import { focusComposer } from '../questions/use_asking_card';
import { MessageImages } from './message_images';

interface MessageEditorProps {
  turn: Turn;
  controller: ChatController;
}

/**
 * The field in which a person edits a message that was sent. Sending the text begins a branch. The text is kept when the person leaves the field without
 * cancelling.
 */
export function MessageEditor({ turn, controller }: MessageEditorProps) {
  const messages = useMessages();
  const { text, setText, clear } = useFormDraft(`message.${turn.runId}`, turn.input);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = field;
    if (!current) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, []);
  useLayoutEffect(() => {
    if (!field.current) return;
    field.current.style.height = 'auto';
    field.current.style.height = `${field.current.scrollHeight + 2}px`;
  }, [text]);
  const close = () => {
    controller.edit(undefined);
    focusComposer();
  };
  const cancel = () => {
    clear();
    close();
  };
  const send = async () => {
    const trimmed = text.trim();
    if (trimmed === '' || isSending) return;
    setSending(true);
    const isSent = await controller.branches.resend(turn, trimmed);
    if (isSent) clear();
    else setSending(false);
  };
  return (
    <form
      class="message-editor"
      data-testid="message-editor"
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={event => {
        // An input method uses Enter and Escape for its own candidates; older browsers report key code 229 then.
        if (event.isComposing || event.keyCode === 229) return;
        if (event.key === 'Escape') {
          // Handle Escape here: outside the form it would stop the agent.
          event.preventDefault();
          close();
        } else if (isSendKey(event, controller.preferences.get().sendKey) && event.target === field.current) {
          event.preventDefault();
          void send();
        }
      }}
    >
      {turn.images && <MessageImages images={turn.images} />}
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label={messages.editedMessage}
        data-testid="edited-message"
        readOnly={isSending}
        onInput={event => setText(event.currentTarget.value)}
      />
      <p class="editor-note">{messages.editNote}</p>
      <div class="editor-buttons">
        <button type="button" class="button" disabled={isSending} onClick={cancel}>
          {messages.cancel}
        </button>
        <button type="submit" class="button primary" data-testid="send-edited" disabled={isSending || text.trim() === ''}>
          {messages.send}
        </button>
      </div>
    </form>
  );
}
