/** Markup read from left to right, once: for pages that are too wild to be built into a tree, and to find out which are. */

/** Beyond these the tree, and what walks it, takes time out of all proportion. */
const MAX_ELEMENTS = 30_000;
const MAX_DEPTH = 250;
const MAX_TAG_LENGTH = 20_000;

const TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})/gi;
/** Elements that have no end, or whose end may be left out: none of them lies in another of its kind for that. */
const SHALLOW = new Set(
  'area base br col dd dt embed hr img input li link meta optgroup option p source tbody td th thead tr track wbr'.split(' '),
);

/** Whether building a tree of it is sure to be quick. */
export function isParseable(html: string): boolean {
  let elements = 0;
  let depth = 0;
  for (const { 1: slash, 2: name = '', index } of html.matchAll(TAG)) {
    if (!slash) elements += 1;
    if (!SHALLOW.has(name.toLowerCase())) depth = Math.max(0, depth + (slash ? -1 : 1));
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return false;
    const reach = index + MAX_TAG_LENGTH;
    if (reach < html.length && !html.slice(index, reach).includes('>')) return false;
  }
  return true;
}

const SILENT = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'textarea', 'select'];
const BREAKING =
  /^(?:address|article|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)$/;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words of a page without its markup, one block a line. Linear whatever the page is. */
export function stripMarkup(html: string): string {
  const pieces: string[] = [];
  const ends = new EndFinder(html);
  const opening = /<(?=[a-z!?/])/gi;
  let at = 0;
  for (let open = opening.exec(html); open; open = opening.exec(html)) {
    pieces.push(html.slice(at, open.index));
    at = skipTag(html, { open: open.index, ends, pieces });
    opening.lastIndex = at;
  }
  pieces.push(html.slice(at));
  return tidyText(decodeEntities(pieces.join('')));
}

/** Where the text after the markup that starts at `open` goes on. */
function skipTag(html: string, { open, ends, pieces }: { open: number; ends: EndFinder; pieces: string[] }): number {
  if (html.startsWith('<!--', open)) return ends.after('-->', open);
  const [, slash, word = ''] = /^<(\/?)([a-z][a-z0-9]{0,15})?/i.exec(html.slice(open, open + 18)) ?? [];
  const name = word.toLowerCase();
  if (BREAKING.test(name)) pieces.push('\n');
  else if (name === 'td' || name === 'th') pieces.push(' ');
  const end = ends.after('>', open);
  return !slash && SILENT.includes(name) ? ends.after(`</${name}`, end) : end;
}

/** Finds ends of markup; what was not found once is not looked for again, or a page of openings would take quadratic time. */
class EndFinder {
  private readonly lower: string;
  private readonly missing = new Set<string>();

  constructor(html: string) {
    this.lower = html.toLowerCase();
  }

  after(end: string, from: number): number {
    const at = this.missing.has(end) ? -1 : this.lower.indexOf(end, from);
    if (at >= 0) return at + end.length;
    this.missing.add(end);
    return this.lower.length;
  }
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Lines without white space around them, never two empty ones in a row. */
export function tidyText(text: string): string {
  const lines = text.split('\n').map(line => line.replace(/[^\S\n]+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}
