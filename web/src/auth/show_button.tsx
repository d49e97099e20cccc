import { Icon } from '../components/basic/icon';

interface ShowButtonProps {
  isShown: boolean;
  /** What the button does: show and hide. */
  texts: readonly [string, string];
  testId: string;
  onToggle: () => void;
}

/** Shows and hides what a person writes into a field for a secret. */
export function ShowButton({ isShown, texts: [show, hide], testId, onToggle }: ShowButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={isShown ? hide : show}
      aria-pressed={isShown}
      title={isShown ? hide : show}
      data-testid={testId}
      onClick={onToggle}
    >
      <Icon name={isShown ? 'eyeOff' : 'eye'} />
    </button>
  );
}
