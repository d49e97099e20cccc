import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hasKeyboard } from '../platform/has_keyboard';

interface LoginFieldProps {
  name: string;
  label: string;
  value: string;
  autocomplete: string;
  type?: 'text' | 'email' | 'password';
  note?: string;
  /** What the page says about the value while the person writes. */
  hint?: string;
  /** Why the value was refused. */
  problem?: string | undefined;
  /** A browser cuts a longer text that is pasted, without a word. */
  maxLength?: number;
  isReadOnly?: boolean;
  /** The person writes here first. */
  isFirst?: boolean;
  onValue: (value: string) => void;
  /** A button in the field. */
  children?: ComponentChildren;
}

/** A field of the login card. */
export function LoginField(props: LoginFieldProps) {
  const { name, label, value, autocomplete, type = 'text', note, hint, problem, maxLength = 256, isReadOnly, isFirst } = props;
  const { onValue, children } = props;
  const id = `login-${name}`;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst && hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, [isFirst]);
  const about = [note !== undefined && `${id}-note`, hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`];
  const input = (
    <input
      ref={field}
      id={id}
      type={type}
      name={name}
      value={value}
      maxLength={maxLength}
      autocomplete={autocomplete}
      autocapitalize="none"
      spellcheck={false}
      readOnly={isReadOnly}
      aria-describedby={about.filter(Boolean).join(' ') || undefined}
      aria-invalid={problem !== undefined || undefined}
      data-testid={id}
      onInput={event => onValue(event.currentTarget.value)}
    />
  );
  return (
    <div class="login-field">
      <label for={id}>{label}</label>
      {children === undefined ? (
        input
      ) : (
        <div class="key-field">
          {input}
          {children}
        </div>
      )}
      {note !== undefined && (
        <p id={`${id}-note`} class="field-note">
          {note}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="field-note" role="status" data-testid={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="field-problem" role="alert" data-testid={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
