import { useMessages } from '../../i18n/language_context';
import { NumberedButton } from './numbered_button';

interface ChoiceButtonsProps {
  choices: readonly string[] | undefined;
  /** True once the card has been visible long enough that a key press is meant for it. */
  hasShortcut: boolean;
  isSending: boolean;
  /** The answer that is being sent; its choice shows that. */
  sending?: string | undefined;
  /** The choice that waits for its form to be sent; null: none does. Absent: a press sends. */
  chosen?: string | null;
  onChoose: (choice: string) => void;
}

/** The choices of a question. */
export function ChoiceButtons({ choices = [], hasShortcut, isSending, sending, chosen, onChoose }: ChoiceButtonsProps) {
  if (choices.length === 0) return null;
  return (
    <div class="choices">
      {choices.map((choice, index) => (
        <NumberedButton
          key={choice}
          class="choice"
          testId="clarify-choice"
          number={index + 1}
          hasShortcut={hasShortcut}
          isSending={isSending}
          isPressed={chosen === undefined ? undefined : chosen === choice}
          onChoose={() => onChoose(choice)}
        >
          {choice}
          {sending === choice && <span class="spinner" />}
        </NumberedButton>
      ))}
    </div>
  );
}

/** Leaves the answer to the agent. */
export function YouDecide({ chosen, onChoose }: Pick<ChoiceButtonsProps, 'chosen' | 'onChoose'>) {
  const { youDecide } = useMessages();
  return (
    <button
      type="button"
      class="link-button"
      data-testid="you-decide"
      aria-pressed={chosen === undefined ? undefined : chosen === youDecide}
      onClick={() => onChoose(youDecide)}
    >
      {youDecide}
    </button>
  );
}
