import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import { useDocsTexts } from './docs_texts';
import { GUIDES, type GuidePlace, guideAnchor } from './guides';

/** Each page is a file of its own in the build, loaded when it is opened. */
const FILES = import.meta.glob<string>(['../../../docs/*.md', '../../../docs/guides/*.md'], { query: '?raw', import: 'default' });

/** One page of docs/, scrolled to its section, beside the list of all of them. */
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
        // The html is made from our own files at build time and holds no markup of others.
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

/** The page as html. The one that is shown stays until the next one has been loaded. */
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
  const load = FILES[`../../../docs/${name}${locale === 'zh-CN' ? '.zh-CN' : ''}.md`];
  if (!load) throw new Error(`There is no page ${name}.`);
  const [source, { guideHtml }] = await Promise.all([load(), import('./guide_html')]);
  return guideHtml(source, name);
}
