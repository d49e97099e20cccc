/** Limits of pages that are parsed into a DOM. */
import { readMarkup } from './markup_tokens';

/** The most elements of a page: DOM parsing of larger pages takes superlinear time. */
const MAX_ELEMENTS = 30_000;
const MAX_DEPTH = 250;
const MAX_TAG_LENGTH = 20_000;

/** Elements whose end tag is optional or does not exist; they do not count as depth. */
const SHALLOW = new Set(
  'area base br col dd dt embed hr img input li link meta optgroup option p source tbody td th thead tr track wbr'.split(' '),
);

/** Returns true when parsing the page into a DOM is sure to be quick. */
export function isParseable(html: string): boolean {
  const openByName = new Map<string, number>();
  let elements = 0;
  let depth = 0;
  let isWithin = true;
  let tagStart: number | undefined;
  const endTag = (end: number) => {
    if (tagStart !== undefined && end - tagStart > MAX_TAG_LENGTH) isWithin = false;
    tagStart = undefined;
  };
  readMarkup(html, {
    onOpenTag(name, at) {
      tagStart = at;
      elements += 1;
      if (!SHALLOW.has(name)) {
        openByName.set(name, (openByName.get(name) ?? 0) + 1);
        depth += 1;
      }
      isWithin &&= elements <= MAX_ELEMENTS && depth <= MAX_DEPTH;
      return isWithin;
    },
    onCloseTag(name) {
      const open = openByName.get(name) ?? 0;
      if (open === 0) return;
      openByName.set(name, open - 1);
      depth -= 1;
    },
    onTagEnd: endTag,
    onText() {},
  });
  endTag(html.length);
  return isWithin;
}
