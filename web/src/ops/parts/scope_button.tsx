import type { ComponentChildren } from 'preact';
import { type Permission, useScope } from '../../state/scope_context';
import { useOpsTexts } from '../shared/ops_words';

interface ScopeButtonProps {
  scope: Permission;
  isBusy?: boolean;
  isDanger?: boolean;
  isPrimary?: boolean;
  label?: string;
  testId: string;
  onClick: () => void;
  children: ComponentChildren;
}

/**
 * A button for an action that needs a scope. Without the scope it is disabled and says why; it keeps the focus, so that a keyboard user can read the
 * reason.
 */
export function ScopeButton({ scope, isBusy, isDanger, isPrimary, label, testId, onClick, children }: ScopeButtonProps) {
  const texts = useOpsTexts();
  const isAllowed = useScope(scope);
  const isOff = !isAllowed || isBusy === true;
  return (
    <button
      type="button"
      class={`button${isDanger ? ' danger' : ''}${isPrimary ? ' primary' : ''}`}
      aria-disabled={isOff}
      aria-label={label}
      title={isAllowed ? undefined : texts.needsScope(scope)}
      data-testid={testId}
      onClick={() => !isOff && onClick()}
    >
      {children}
    </button>
  );
}
