import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../../components/basic/copy_button';
import { formatMinute } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { MadeLink } from './account_api';
import { accountTexts } from './account_texts';

interface LinkPanelProps {
  title: string;
  link: MadeLink;
  onDone: () => void;
}

/** Shows a one-time link once. It is nowhere else on the page and is gone after the button. */
export function LinkPanel({ title, link: { url, expiresAt, mail }, onDone }: LinkPanelProps) {
  const locale = useLocale();
  const texts = accountTexts[locale];
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel warn" aria-labelledby="link-heading" data-testid="link-panel">
      <h2 id="link-heading" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{texts.linkNote(formatMinute(expiresAt, locale))}</p>
      {mail !== undefined && <p data-testid="mail-state">{mail === 'sent' ? texts.mailSent : texts.mailFailed}</p>}
      <p class="secret">
        <code data-testid="made-link">{url}</code>
        <CopyButton text={() => url} label={texts.copyLink} />
      </p>
      <button type="button" class="button" data-testid="hide-link" onClick={onDone}>
        {texts.hideLink}
      </button>
    </section>
  );
}
