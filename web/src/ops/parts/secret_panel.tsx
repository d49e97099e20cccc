import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../../components/basic/copy_button';
import { useLocale } from '../../i18n/language_context';
import { secretTexts } from './secret_texts';

interface SecretPanelProps {
  name: string;
  secret: string;
  /** What belongs to the secret, such as an address. */
  children?: ComponentChildren;
  onDone: () => void;
}

/** Shows a secret once. It is nowhere else on the page and is gone after the button. */
export function SecretPanel({ name, secret, children, onDone }: SecretPanelProps) {
  const texts = secretTexts[useLocale()];
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel warn" aria-labelledby="secret-heading" data-testid="secret-panel">
      <h3 id="secret-heading" ref={heading} tabIndex={-1}>
        {texts.secretTitle(name)}
      </h3>
      <p>{texts.secretNote}</p>
      {children}
      <p class="secret">
        <code data-testid="secret">{secret}</code>
        <CopyButton text={() => secret} label={texts.copySecret} />
      </p>
      <button type="button" class="button" data-testid="hide-secret" onClick={onDone}>
        {texts.hideSecret}
      </button>
    </section>
  );
}
