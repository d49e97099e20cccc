import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import { useDocsTexts } from './docs_texts';
import { readGuide } from './guide_files';
import { GUIDE_GROUPS, type GuidePlace, guideAnchor } from './guides';

/** Shows one page of docs/, scrolled to its section, beside the list of all guides. */
export function GuideView({ place }: { place: GuidePlace }) {
  const { name, section } = place;
  const texts = useDocsTexts();
  const [html, isFailed] = useGuide(name, useLocale());
  useEffect(() => {
    const heading = section && document.getElementById(guideAnchor({ name, section }));
    if (heading) heading.scrollIntoView();
    else scrollTo(0, 0);
  }, [html, name, section]);
  return (
    <div class="guide-frame">
      <GuideList openName={name} />
      {isFailed ? (
        <p class="docs-note">{texts.failed}</p>
      ) : (
        // The html comes from our own files at build time.
        <article class="guide markdown" data-testid="guide" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </div>
  );
}

function GuideList({ openName }: { openName: string }) {
  const texts = useDocsTexts();
  const locale = useLocale();
  return (
    <nav class="guide-list" aria-label={texts.guides}>
      {GUIDE_GROUPS.map(group => (
        <details key={group.title.en} open={!isNarrow() || group.guides.some(({ name }) => name === openName)}>
          <summary>{group.title[locale]}</summary>
          {group.guides.map(({ name, title }) => (
            <a key={name} href={`#${guideAnchor({ name })}`} aria-current={name === openName ? 'page' : undefined}>
              {title[locale]}
            </a>
          ))}
        </details>
      ))}
    </nav>
  );
}

/** On a narrow window the list is above the guide, so only the group of the open guide is unfolded. */
const isNarrow = (): boolean => matchMedia('(max-width: 60rem)').matches;

/** Loads a guide as html. The previous guide stays until the new one has loaded. */
function useGuide(name: string, locale: Locale): [html: string, isFailed: boolean] {
  const [html, setHtml] = useState('');
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    let isWanted = true;
    setFailed(false);
    loadGuide(name, locale).then(
      loaded => isWanted && setHtml(loaded),
      () => isWanted && setFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [name, locale]);
  return [html, isFailed];
}

async function loadGuide(name: string, locale: Locale): Promise<string> {
  const [source, { guideHtml }] = await Promise.all([readGuide(name, locale), import('./guide_html')]);
  return guideHtml(source, name);
}
