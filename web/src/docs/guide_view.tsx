import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import { useDocsTexts } from './docs_texts';
import { readGuide } from './guide_files';
import { GUIDE_GROUPS, type GuidePlace, guideAnchor } from './guides';
import { yieldToBrowser } from './yield_to_browser';

/** Shows one page of docs/, scrolled to its section, beside the list of all guides. */
export function GuideView({ place }: { place: GuidePlace }) {
  const { name, section } = place;
  const texts = useDocsTexts();
  const { guide, isFailed } = useGuide(name, useLocale());
  const { isWhole } = guide;
  useEffect(() => {
    if (!section) scrollTo(0, 0);
  }, [guide.key, name, section]);
  useEffect(() => {
    if (section) document.getElementById(guideAnchor({ name, section }))?.scrollIntoView();
  }, [isWhole, guide.key, name, section]);
  return (
    <div class="guide-frame">
      <GuideList openName={name} />
      {isFailed ? (
        <p class="docs-note">{texts.failed}</p>
      ) : (
        <article class="guide markdown" data-testid="guide" aria-busy={!isWhole}>
          {guide.sections.map((html, index) => (
            // The html comes from our own files at build time.
            <section key={`${guide.key} ${index}`} dangerouslySetInnerHTML={{ __html: html }} />
          ))}
        </article>
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

interface ShownGuide {
  /** Name and language. */
  key: string;
  sections: readonly string[];
  isWhole: boolean;
}

/** Loads a guide as html, section by section, so that the page answers in between. The previous guide stays until the first section is there. */
function useGuide(name: string, locale: Locale): { guide: ShownGuide; isFailed: boolean } {
  const [guide, setGuide] = useState<ShownGuide>({ key: '', sections: [], isWhole: false });
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    setFailed(false);
    showGuide(name, locale, { onGuide: setGuide, signal: end.signal }).catch(() => end.signal.aborted || setFailed(true));
    return () => end.abort();
  }, [name, locale]);
  return { guide, isFailed };
}

interface Showing {
  onGuide: (guide: ShownGuide) => void;
  signal: AbortSignal;
}

async function showGuide(name: string, locale: Locale, { onGuide, signal }: Showing): Promise<void> {
  const [source, { guideSections }] = await Promise.all([readGuide(name, locale), import('./guide_html')]);
  const [key, sections]: [string, string[]] = [`${locale} ${name}`, []];
  for (const html of guideSections(source, name)) {
    sections.push(html);
    await yieldToBrowser();
    if (signal.aborted) return;
    onGuide({ key, sections: [...sections], isWhole: false });
  }
  onGuide({ key, sections, isWhole: true });
}
