import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useMessages } from '../../i18n/language_context';

interface Submission {
  problem: string | undefined;
  isSending: boolean;
  submit(): Promise<void>;
}

/** Sends a form once at a time. `check` returns what a person should mend first; `send` rejects with a RequestError. */
export function useSubmission(check: () => string | undefined, send: () => Promise<void>): Submission {
  const messages = useMessages();
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    if (isSending) return;
    const mistake = check();
    setProblem(mistake);
    if (mistake !== undefined) return;
    setSending(true);
    try {
      await send();
    } catch (error) {
      setProblem(refusalOf(error) ?? messages.notRead);
    } finally {
      setSending(false);
    }
  };
  return { problem, isSending, submit };
}

interface FormFrameProps {
  /** Beginning of the test ids. */
  name: string;
  label: string;
  /** Text of the button that sends the form. */
  action: string;
  form: Submission;
  onBack: () => void;
  children: ComponentChildren;
}

/** A form with its problem and its buttons. The first field takes the focus. */
export function FormFrame({ name, label, action, form: { problem, isSending, submit }, onBack, children }: FormFrameProps) {
  const messages = useMessages();
  const frame = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => frame.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  return (
    <form
      ref={frame}
      class="panel"
      aria-label={label}
      data-testid={`${name}-form`}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {problem && (
        <p class="form-problem" role="alert" data-testid={`${name}-problem`}>
          {problem}
        </p>
      )}
      <div class="toolbar">
        <button type="submit" class="button primary" aria-disabled={isSending} data-testid={`make-${name}`}>
          {action}
        </button>
        <button type="button" class="button" onClick={onBack}>
          {messages.cancel}
        </button>
      </div>
    </form>
  );
}
