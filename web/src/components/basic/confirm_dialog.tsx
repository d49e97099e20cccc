import { useId } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { useModal } from './use_modal';

interface ConfirmDialogProps {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something is deleted, or before a stranger's link opens. Cancel has the focus, and Escape cancels too. */
export function ConfirmDialog({ title, text, action, onConfirm, onCancel }: ConfirmDialogProps) {
  const messages = useMessages();
  const dialog = useModal();
  const titleId = useId();
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} data-testid="confirm-dialog" onClose={onCancel}>
      <h2 id={titleId}>{title}</h2>
      <p>{text}</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onCancel}>
          {messages.cancel}
        </button>
        <button type="button" class="button danger" data-testid="confirm" onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
