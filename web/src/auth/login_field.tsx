interface LoginFieldProps {
  name: string;
  label: string;
  value: string;
  autocomplete: string;
  type?: 'text' | 'email' | 'password';
  note?: string;
  isReadOnly?: boolean;
  onValue: (value: string) => void;
}

/** A field of the login card. */
export function LoginField({ name, label, value, autocomplete, type = 'text', note, isReadOnly, onValue }: LoginFieldProps) {
  const id = `login-${name}`;
  return (
    <div class="login-field">
      <label for={id}>{label}</label>
      <input
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
