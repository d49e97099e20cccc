import { Logo } from '../components/basic/logo';
import { PreferenceControls } from '../components/basic/preference_controls';
import type { Preferences } from '../platform/preferences';
import { ROOT } from '../platform/root';
import type { Store } from '../platform/store';
import { useDocsTexts } from './docs_texts';
import { FIRST_GUIDE, guideAnchor, PROTOCOL } from './guides';

interface DocsHeaderProps {
  preferences: Store<Preferences>;
  /** Name of the open guide; undefined while the API is open. */
  guide: string | undefined;
}

export function DocsHeader({ preferences, guide }: DocsHeaderProps) {
  const texts = useDocsTexts();
  const tabs = [
    { title: texts.api, href: '#/', isOpen: guide === undefined },
    { title: texts.protocol, href: `#${guideAnchor({ name: PROTOCOL })}`, isOpen: guide === PROTOCOL },
    { title: texts.guides, href: `#${guideAnchor({ name: FIRST_GUIDE })}`, isOpen: guide !== undefined && guide !== PROTOCOL },
  ];
  return (
    <header class="docs-header">
      <a class="docs-brand" href={ROOT} aria-label={`Neta: ${texts.toChat}`} title={texts.toChat}>
        <Logo />
        <span>Neta</span>
      </a>
      <nav class="docs-tabs">
        {tabs.map(({ title, href, isOpen }) => (
          <a key={href} href={href} aria-current={isOpen ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <PreferenceControls preferences={preferences} />
    </header>
  );
}
