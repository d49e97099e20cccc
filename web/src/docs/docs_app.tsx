import { useEffect, useRef } from 'preact/hooks';
import { LanguageContext } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import { ApiView } from './api_view';
import { DocsHeader } from './docs_header';
import { useDocsTexts } from './docs_texts';
import { GuideView } from './guide_view';
import { guideOf } from './guides';
import { useAnchor } from './use_anchor';
import { useDarkMode } from './use_dark_mode';

export function DocsApp({ preferences }: { preferences: Store<Preferences> }) {
  const locale = useStore(preferences, state => state.locale);
  return (
    <LanguageContext.Provider value={locale}>
      <DocsPage preferences={preferences} />
    </LanguageContext.Provider>
  );
}

function DocsPage({ preferences }: { preferences: Store<Preferences> }) {
  const texts = useDocsTexts();
  const place = guideOf(useAnchor());
  const content = useRef<HTMLElement>(null);
  useDarkMode(useStore(preferences, state => state.theme));
  useEffect(() => {
    document.title = `${texts.title} · Neta`;
  }, [texts]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => content.current?.focus()}>
        {texts.skip}
      </button>
      <DocsHeader preferences={preferences} guide={place?.name} />
      <main class="docs-main" tabIndex={-1} ref={content}>
        <ApiView isOpen={place === undefined} />
        {place && <GuideView place={place} />}
      </main>
    </>
  );
}
