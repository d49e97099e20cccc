import { useId, useState } from 'preact/hooks';
import { useModal } from '../../components/basic/use_modal';
import { useLocale } from '../../i18n/language_context';
import { type AccountTexts, accountTexts } from './account_texts';

export type AccountQuestion = 'disable' | 'authenticator' | 'remove';

interface AccountDialogProps {
  question: AccountQuestion;
  name: string;
  /** `erase`: what the person made goes, too. */
  onAnswer: (erase: boolean) => void;
  onCancel: () => void;
}

/** Asks before a change that ends something, and says what goes. Escape changes nothing. */
export function AccountDialog({ question, name, onAnswer, onCancel }: AccountDialogProps) {
  const texts = accountTexts[useLocale()];
  const [erase, setErase] = useState(false);
  const dialog = useModal();
  const id = useId();
  const { title, text, action } = wordsOf(question, texts);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} data-testid="confirm-dialog" onClose={onCancel}>
      <h2 id={id}>{title}</h2>
      <p>{text(name)}</p>
      {question === 'remove' && (
        <div class="field">
          <div class="check-row">
            <label>
              <input
                type="checkbox"
                checked={erase}
                aria-describedby={`${id}-erase`}
                data-testid="erase"
                onChange={event => setErase(event.currentTarget.checked)}
              />
              {texts.erase}
            </label>
          </div>
          <p id={`${id}-erase`} class="field-note">
            {texts.eraseNote}
          </p>
        </div>
      )}
      <div class="dialog-actions">
        <button type="button" class="button" data-testid="keep" onClick={onCancel}>
          {texts.cancel}
        </button>
        <button type="button" class="button danger" data-testid="confirm" onClick={() => onAnswer(erase)}>
          {action}
        </button>
      </div>
    </dialog>
  );
}

function wordsOf(question: AccountQuestion, texts: AccountTexts): { title: string; text: (who: string) => string; action: string } {
  if (question === 'disable') return { title: texts.disableQuestion, text: texts.disableText, action: texts.disable };
  if (question === 'remove') return { title: texts.removeQuestion, text: texts.removeText, action: texts.remove };
  return { title: texts.authenticatorQuestion, text: texts.authenticatorText, action: texts.removeAuthenticator };
}
