import { useEffect, useRef } from 'preact/hooks';
import { lazy } from '../components/basic/lazy';
import { LanguageContext } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import { ApiView } from './api_view';
import { DocsHeader } from './docs_header';
import { useDocsTexts } from './docs_texts';
import { guideOf } from './guides';
import { useAnchor } from './use_anchor';

const GuideView = lazy(async () => (await import('./guide_view')).GuideView);

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
  const anchor = useAnchor();
  const place = guideOf(anchor);
  const content = useRef<HTMLElement>(null);
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
        <ApiView isOpen={place === undefined} place={anchor} />
        {place && <GuideView place={place} />}
      </main>
    </>
  );
}
