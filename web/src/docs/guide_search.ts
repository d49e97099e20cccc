/** Finds the guides that have the words of a search. */
import type { Locale } from '../platform/preferences';
import { readGuide } from './guide_files';
import { GUIDES, type Guide, type GuidePlace, slugOf } from './guides';

export interface GuideHit {
  guide: Guide;
  place: GuidePlace;
  /** The heading that the place leads to; undefined at the top of the guide. */
  heading?: string;
}

const MAX_HITS = 8;

/** Lists guides whose title or text has every word, titles first. Loads all guides at the first call. */
export async function findGuides(search: string, locale: Locale): Promise<GuideHit[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const sources = await Promise.all(GUIDES.map(async guide => ({ guide, source: await readGuide(guide.name, locale) })));
  const hits = sources.flatMap(({ guide, source }) => findHit(guide, source, words, locale) ?? []);
  return [...hits.filter(({ heading }) => heading === undefined), ...hits.filter(({ heading }) => heading !== undefined)].slice(
    0,
    MAX_HITS,
  );
}

function findHit(guide: Guide, source: string, words: readonly string[], locale: Locale): GuideHit | undefined {
  const has = (text: string) => words.every(word => text.toLowerCase().includes(word));
  const { name, title } = guide;
  if (has(title[locale])) return { guide, place: { name } };
  if (!has(source)) return undefined;
  const heading = findHeading(source, has);
  return heading === undefined ? { guide, place: { name } } : { guide, heading, place: { name, section: slugOf(heading) } };
}

/** Returns the heading of the first section that has all words; undefined when the words are in several sections. */
function findHeading(source: string, has: (text: string) => boolean): string | undefined {
  const section = source
    .split(/^(?=#{2,3} )/m)
    .slice(1)
    .find(has);
  return section && /^#+ (.*)/.exec(section)?.[1];
}
