import { Icon } from '../basic/icon';

interface SearchFieldProps {
  text: string;
  onText: (text: string) => void;
  /** Name and placeholder of the field. */
  label: string;
  /** Limit in characters. */
  maxLength: number;
  testId: string;
}

/** The field above a list that searches it. */
export function SearchField({ text, onText, label, maxLength, testId }: SearchFieldProps) {
  return (
    <label class="search-field">
      <Icon name="search" />
      <input
        type="search"
        value={text}
        maxLength={maxLength}
        aria-label={label}
        placeholder={label}
        data-testid={testId}
        onInput={event => onText(event.currentTarget.value)}
      />
    </label>
  );
}
