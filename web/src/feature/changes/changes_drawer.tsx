import { useEffect, useId, useState } from 'preact/hooks';
import type { FileChange } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useModal } from '../../components/basic/use_modal';
import { useLocale, useMessages } from '../../i18n/language_context';
import { ChangeRow } from './change_row';
import { changesTexts } from './changes_texts';
import './changes.css';

interface ChangesDrawerProps {
  controller: ChatController;
  onClose: () => void;
}

/** Lists every file change of the open chat, over all its runs, each with its diff, undo and redo. */
export function ChangesDrawer({ controller, onClose }: ChangesDrawerProps) {
  const texts = changesTexts[useLocale()];
  const dialog = useModal();
  const titleId = useId();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog
      ref={dialog}
      class="changes-drawer"
      aria-labelledby={titleId}
      data-testid="changes-drawer"
      onClose={onClose}
      // A click beside the drawer hits the dialog itself.
      onClick={event => event.target === dialog.current && onClose()}
    >
      <div class="changes-body">
        <header>
          <h2 id={titleId}>{texts.title}</h2>
          <button type="button" class="icon-button" aria-label={texts.close} data-testid="close-changes" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <ChangeList controller={controller} />
      </div>
    </dialog>
  );
}

/** Changes that are open at once; of more changes, the person opens one. */
const MAX_OPEN = 2;

function ChangeList({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const texts = changesTexts[useLocale()];
  const [changes, setChanges] = useState<readonly FileChange[] | 'failed'>();
  const load = () => {
    setChanges(undefined);
    controller.calls.listChanges().then(setChanges, () => setChanges('failed'));
  };
  useEffect(load, []);
  if (changes === undefined) return <span class="spinner" role="status" aria-label={messages.loading} />;
  if (changes === 'failed') {
    return (
      <p role="alert">
        {texts.failed}{' '}
        <button type="button" class="link-button" onClick={load}>
          {messages.retry}
        </button>
      </p>
    );
  }
  if (changes.length === 0) return <p>{texts.none}</p>;
  return (
    <>
      <p class="changes-count" data-testid="changes-count">
        {texts.count(changes.length)}
      </p>
      <ol>
        {changes.map(change => (
          <ChangeRow key={change.id} change={change} isFirstOpen={changes.length <= MAX_OPEN} controller={controller} />
        ))}
      </ol>
    </>
  );
}
