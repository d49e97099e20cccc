import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import { useDocsTexts } from './docs_texts';
import { GUIDES, type GuidePlace, guideAnchor } from './guides';

/** Loaders of the pages. Vite builds each page as a file that is loaded when it is opened. */
const FILES = import.meta.glob<string>(['../../../docs/*.md', '../../../docs/guides/*.md'], { query: '?raw', import: 'default' });

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
      {GUIDES.map(({ name, title }) => (
        <a key={name} href={`#${guideAnchor({ name })}`} aria-current={name === openName ? 'page' : undefined}>
          {title[locale]}
        </a>
      ))}
    </nav>
  );
}

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

/** Loads the page in the language of the person, or in English when it is written in English alone. */
async function loadGuide(name: string, locale: Locale): Promise<string> {
  const path = `../../../docs/${name}`;
  const load = (locale === 'zh-CN' && FILES[`${path}.zh-CN.md`]) || FILES[`${path}.md`];
  if (!load) throw new Error(`There is no page ${name}.`);
  const [source, { guideHtml }] = await Promise.all([load(), import('./guide_html')]);
  return guideHtml(source, name);
}
