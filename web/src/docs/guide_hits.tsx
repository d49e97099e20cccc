import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import { useDocsTexts } from './docs_texts';
import { findGuides, type GuideHit } from './guide_search';
import { guideAnchor } from './guides';
import { InlineCode } from './inline_code';

/** Shorter searches are in every guide. Characters. */
const MIN_LENGTH = 2;
/** A person who types on pauses for less. Milliseconds. */
const PAUSE_MS = 150;

/** Lists the guides that have the words of a search. */
export function GuideHits({ search }: { search: string }) {
  const texts = useDocsTexts();
  const locale = useLocale();
  const hits = useHits(search.trim(), locale);
  if (hits.length === 0) return null;
  return (
    <section class="guide-hits" data-testid="guide-hits">
      <h2>{texts.guides}</h2>
      <ul>
        {hits.map(({ guide, place, heading }) => (
          <li key={guide.name}>
            <a href={`#${guideAnchor(place)}`}>{guide.title[locale]}</a>
            {heading && (
              <small>
                <InlineCode text={heading} />
              </small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function useHits(search: string, locale: Locale): readonly GuideHit[] {
  const [hits, setHits] = useState<readonly GuideHit[]>([]);
  useEffect(() => {
    if (search.length < MIN_LENGTH) return setHits([]);
    let isWanted = true;
    const timer = setTimeout(async () => {
      const found = await findGuides(search, locale).catch(() => []);
      if (isWanted) setHits(found);
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [search, locale]);
  return hits;
}
