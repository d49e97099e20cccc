import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { LanguageContext } from '../i18n/language_context';
import type { Locale, Preferences } from '../platform/preferences';
import { type Store, useStore } from '../state/store';
import { type ApiDocument, fetchDocument, groupOperations } from './api_document';
import { DocumentContext } from './docs_context';
import { DocsHeader } from './docs_header';
import { DocsNavigation } from './docs_navigation';
import { docsTexts } from './docs_texts';
import { ErrorSection } from './error_section';
import { GuideView } from './guide_view';
import { guideOf } from './guides';
import { OperationGroup } from './operation_view';
import { useAnchor } from './use_anchor';

export function DocsApp({ preferences }: { preferences: Store<Preferences> }) {
  const locale = useStore(preferences, state => state.locale);
  const texts = docsTexts(locale);
  const [document, isFailed, load] = useApiDocument(locale);
  useEffect(() => {
    globalThis.document.title = `${texts.title} · Neta`;
  }, [texts]);
  return (
    <LanguageContext.Provider value={locale}>
      <a class="skip-link" href="#operations">
        {texts.skip}
      </a>
      <DocsHeader preferences={preferences} version={document?.info.version} />
      {document ? (
        <DocumentContext.Provider value={document}>
          <DocsBody document={document} lead={texts.lead} />
        </DocumentContext.Provider>
      ) : (
        <p class="docs-note" role="status">
          {isFailed ? texts.failed : texts.loading}{' '}
          {isFailed && (
            <button type="button" class="button" onClick={load}>
              {texts.retry}
            </button>
          )}
        </p>
      )}
    </LanguageContext.Provider>
  );
}

function DocsBody({ document, lead }: { document: ApiDocument; lead: string }) {
  const anchor = useAnchor();
  const groups = groupOperations(document);
  const place = guideOf(anchor);
  return (
    <div class="docs-frame">
      <DocsNavigation groups={groups} anchor={anchor} />
      <main id="operations" class="docs-main" tabIndex={-1}>
        {place ? (
          <GuideView place={place} />
        ) : (
          <>
            <p class="docs-intro">{lead}</p>
            {groups.map(group => (
              <OperationGroup key={group.name} group={group} anchor={anchor} />
            ))}
            <ErrorSection errors={document['x-errors']} />
          </>
        )}
      </main>
    </div>
  );
}

/** The document in the language of the page. The one that is shown stays until the next one has arrived. */
function useApiDocument(locale: Locale): [document: ApiDocument | undefined, isFailed: boolean, load: () => void] {
  const [document, setDocument] = useState<ApiDocument>();
  const [isFailed, setFailed] = useState(false);
  const wanted = useRef(locale);
  const load = useCallback(() => {
    wanted.current = locale;
    setFailed(false);
    fetchDocument(locale).then(
      loaded => wanted.current === locale && setDocument(loaded),
      () => setFailed(true),
    );
  }, [locale]);
  useEffect(load, [load]);
  return [document, isFailed, load];
}
