import { useEffect, useRef } from 'preact/hooks';
import { hasKeyboard } from '../platform/has_keyboard';

interface LoginFieldProps {
  name: string;
  label: string;
  value: string;
  autocomplete: string;
  type?: 'text' | 'email' | 'password';
  note?: string;
  isReadOnly?: boolean;
  /** The person writes here first. */
  isFirst?: boolean;
  onValue: (value: string) => void;
}

/** A field of the login card. */
export function LoginField({ name, label, value, autocomplete, type = 'text', note, isReadOnly, isFirst, onValue }: LoginFieldProps) {
  const id = `login-${name}`;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst && hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <div class="login-field">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type={type}
        name={name}
        value={value}
        maxLength={256}
        autocomplete={autocomplete}
        autocapitalize="none"
        spellcheck={false}
        readOnly={isReadOnly}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        data-testid={id}
        onInput={event => onValue(event.currentTarget.value)}
      />
      {note !== undefined && (
        <p id={`${id}-note`} class="field-note">
          {note}
        </p>
      )}
    </div>
  );
}
