import type { ComponentChildren } from 'preact';
import { onPlainClick } from '../../platform/plain_click';
import { useOps } from '../shared/ops_controller';
import { opsHref } from '../shared/place';

export interface OpsPlace {
  /** Part of the address behind /ops/. */
  screen: string;
  item?: string;
  query?: Readonly<Record<string, string | undefined>>;
  hash?: string;
}

interface OpsLinkProps extends OpsPlace {
  class?: string;
  isCurrent?: boolean;
  testId?: string;
  label?: string;
  children: ComponentChildren;
}

/** A link to a place below /ops, which opens without loading the page again. */
export function OpsLink({ screen, class: className, isCurrent, testId, label, children, ...parts }: OpsLinkProps) {
  const ops = useOps();
  const href = opsHref(screen, parts);
  return (
    <a
      href={href}
      class={isCurrent ? `${className ?? ''} current` : className}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={label}
      data-testid={testId}
      onClick={onPlainClick(() => ops.go(href))}
    >
      {children}
    </a>
  );
}
