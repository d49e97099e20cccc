import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { ConfirmDialog } from '../basic/confirm_dialog';

interface RemoveDialogProps {
  controller: ChatController;
  sessions: readonly SessionSummary[];
  onClose: () => void;
  /** Called with the ids of the chats that are deleted. */
  onRemoved?: (ids: readonly string[]) => void;
}

/** Asks before it deletes chats. */
export function RemoveDialog({ controller, sessions, onClose, onRemoved }: RemoveDialogProps) {
  const messages = useMessages();
  return (
    <ConfirmDialog
      title={messages.removeQuestion(sessions.length)}
      text={messages.removeExplanation(sessions.map(({ title }) => title || messages.untitled))}
      action={messages.remove}
      onConfirm={() => {
        onClose();
        void controller.remove(sessions.map(({ id }) => id)).then(onRemoved);
      }}
      onCancel={onClose}
    />
  );
}
