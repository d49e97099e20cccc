import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import { useTexts } from './docs_context';
import { type GuidePlace, guideAnchor } from './guides';

/** Each page is a file of its own in the build, loaded when it is opened. */
const FILES = import.meta.glob<string>(['../../../docs/*.md', '../../../docs/guides/*.md'], { query: '?raw', import: 'default' });

/** One page of docs/, scrolled to its section. */
export function GuideView({ place }: { place: GuidePlace }) {
  const { name, section } = place;
  const locale = useLocale();
  const texts = useTexts();
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
  useEffect(() => {
    const heading = section && document.getElementById(guideAnchor({ name, section }));
    if (heading) heading.scrollIntoView();
    else scrollTo(0, 0);
  }, [html, name, section]);
  if (isFailed) return <p class="docs-note">{texts.failed}</p>;
  // The html is made from our own files at build time and holds no markup of others.
  return <article class="docs-guide markdown" data-testid="guide" dangerouslySetInnerHTML={{ __html: html }} />;
}

async function loadGuide(name: string, locale: Locale): Promise<string> {
  const load = FILES[`../../../docs/${name}${locale === 'zh-CN' ? '.zh-CN' : ''}.md`];
  if (!load) throw new Error(`There is no page ${name}.`);
  const [source, { guideHtml }] = await Promise.all([load(), import('./guide_html')]);
  return guideHtml(source, name);
}
