import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './form_field.css';

/** Connects a control with its label and its problem for screen readers. */
export interface ControlProps {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
}

interface FormFieldProps {
  label: string;
  hint?: string;
  /** Says why the value was refused. */
  problem: string | undefined;
  children: (control: ControlProps) => ComponentChildren;
}

/** Shows a control with its label, a hint, and what is wrong with its value. */
export function FormField({ label, hint, problem, children }: FormFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = problem !== undefined || hint !== undefined;
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': problem !== undefined || undefined, 'aria-describedby': hasNote ? noteId : undefined })}
      {problem !== undefined && (
        <p id={noteId} class="form-error" role="alert" data-testid="field-problem">
          {problem}
        </p>
      )}
      {problem === undefined && hint !== undefined && (
        <p id={noteId} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectFieldProps<T extends string> {
  label: string;
  hint?: string;
  value: T;
  options: readonly { value: T; text: string }[];
  problem?: string | undefined;
  testId: string;
  onChange: (value: T) => void;
}

/** Shows a choice of a few values. */
export function SelectField<T extends string>({ label, hint, value, options, problem, testId, onChange }: SelectFieldProps<T>) {
  return (
    <FormField label={label} problem={problem} hint={hint}>
      {control => (
        <select {...control} value={value} data-testid={testId} onChange={event => onChange(event.currentTarget.value as T)}>
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
}

interface InputFieldProps {
  label: string;
  hint?: string;
  value: string;
  problem: string | undefined;
  testId: string;
  onInput: (value: string) => void;
  /** More attributes of the input element. */
  input?: { type?: string; min?: number; step?: number; list?: string; maxLength?: number; spellcheck?: boolean; autocomplete?: 'off' };
}

export function InputField({ label, hint, value, problem, testId, onInput, input }: InputFieldProps) {
  return (
    <FormField label={label} problem={problem} hint={hint}>
      {control => (
        <input {...control} {...input} value={value} data-testid={testId} onInput={event => onInput(event.currentTarget.value)} />
      )}
    </FormField>
  );
}
