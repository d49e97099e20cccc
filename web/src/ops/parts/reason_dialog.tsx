import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useModal } from '../../components/basic/use_modal';

interface ReasonDialogProps {
  title: string;
  text: string;
  reasonLabel: string;
  action: string;
  /** The button that changes nothing names what stays as it is: "Cancel" beside "Cancel the run" would be mistaken. */
  keep: string;
  /** Called with the reason; '' without a reason. */
  onConfirm: (reason: string) => void;
  onCancel: () => void;
  /** Fields above the reason. */
  children?: ComponentChildren;
}

/** The most characters that the gateway accepts. */
const MAX_REASON = 200;

/** Asks before something is switched off, and for the reason. Escape changes nothing. */
export function ReasonDialog({ title, text, reasonLabel, action, keep, onConfirm, onCancel, children }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const dialog = useModal();
  const titleId = useId();
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} data-testid="reason-dialog" onClose={onCancel}>
      <h2 id={titleId}>{title}</h2>
      <p>{text}</p>
      <form
        onSubmit={event => {
          event.preventDefault();
          onConfirm(reason.trim());
        }}
      >
        {children}
        <label class="field">
          {reasonLabel}
          <input value={reason} maxLength={MAX_REASON} data-testid="reason" onInput={event => setReason(event.currentTarget.value)} />
        </label>
        <div class="dialog-actions">
          <button type="button" class="button" data-testid="keep" onClick={onCancel}>
            {keep}
          </button>
          <button type="submit" class="button danger" data-testid="confirm">
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
