import { useId } from 'preact/hooks';
import { useModal } from '../../components/basic/use_modal';

interface ConfirmDialogProps {
  title: string;
  text: string;
  action: string;
  /** Text of the button that changes nothing. */
  keep: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something is deleted. Escape changes nothing. */
export function ConfirmDialog({ title, text, action, keep, onConfirm, onCancel }: ConfirmDialogProps) {
  const dialog = useModal();
  const titleId = useId();
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} data-testid="confirm-dialog" onClose={onCancel}>
      <h2 id={titleId}>{title}</h2>
      <p>{text}</p>
      <div class="dialog-actions">
        <button type="button" class="button" data-testid="keep" onClick={onCancel}>
          {keep}
        </button>
        <button type="button" class="button danger" data-testid="confirm" onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
