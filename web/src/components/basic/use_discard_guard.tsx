import { useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { ConfirmDialog } from './confirm_dialog';

/** Leaves a form at once when nothing was changed; otherwise it asks first. Render `dialog` inside the form. */
export function useDiscardGuard(isChanged: boolean, onBack: () => void) {
  const messages = useMessages();
  const [isAsking, setAsking] = useState(false);
  const dialog = isAsking && (
    <ConfirmDialog
      title={messages.discardQuestion}
      text={messages.discardExplanation}
      action={messages.discard}
      onConfirm={onBack}
      onCancel={() => setAsking(false)}
    />
  );
  return { leave: () => (isChanged ? setAsking(true) : onBack()), dialog };
}

/** Returns true for a key that was pressed in the dialog: Escape closes the dialog there, not the form around it. */
export const isInDialog = (event: Event): boolean => event.target instanceof Element && event.target.closest('dialog') !== null;
