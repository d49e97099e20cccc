import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Logo } from '../components/basic/logo';
import { PreferenceControls } from '../components/basic/preference_controls';
import type { Preferences } from '../platform/preferences';
import type { Store } from '../platform/store';
import './login.css';

interface LoginScreenProps {
  preferences: Store<Preferences>;
  /** The id of the heading inside. */
  titleId: string;
  testId: string;
  children: ComponentChildren;
}

/** A card over the whole page, which keeps everything behind it. */
export function LoginScreen({ preferences, titleId, testId, children }: LoginScreenProps) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="login-screen" aria-labelledby={titleId} data-testid={testId}>
      <div class="login-card">
        <div class="login-head">
          <Logo />
          <PreferenceControls preferences={preferences} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** Opens the dialog above all others. A browser closes a dialog at a second Escape, whatever the page says; the dialog then opens again. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    const open = () => {
      if (!element?.isConnected) return;
      element.showModal();
      element.querySelector('input')?.focus();
    };
    const onCancel = (event: Event) => event.preventDefault();
    element?.addEventListener('close', open);
    element?.addEventListener('cancel', onCancel);
    open();
    return () => {
      element?.removeEventListener('close', open);
      element?.removeEventListener('cancel', onCancel);
      element?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}
