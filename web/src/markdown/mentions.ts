/** Paths of files that a person names in a message, as in `@report.csv` or `@"my report.csv"`. */

/** The sign stands at the beginning, or behind anything but a part of an address or a path. */
const BEFORE = '(?:^|[^\\w@/.])@';
/** What ends a path, with or without a space behind it. */
const ENDS = '，。；：！？、（）“”';

/** The beginning of a path at the end of a text. */
const BEGUN = new RegExp(`${BEFORE}([^\\s@"${ENDS}]*)$`);
const MENTION = new RegExp(`(${BEFORE})(?:"([^"\\n]+)"|([^\\s@"${ENDS}]+?)(?=[.,;:!?)]*(?:[\\s${ENDS}]|$)))`, 'g');

/** Writes the path of a file as a message names it. */
export const toMention = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);

/** Returns the beginning of a path with which the text ends, without its sign; undefined when it ends with none. */
export const findBegunMention = (text: string): string | undefined => BEGUN.exec(text)?.[1];

/** Finds the paths in a text, with the offsets of what names them. */
export function findMentions(text: string): { path: string; start: number; end: number }[] {
  return [...text.matchAll(MENTION)].map(({ 0: whole, 1: before = '', 2: quoted, 3: bare = '', index }) => ({
    path: quoted ?? bare,
    start: index + before.length,
    end: index + whole.length,
  }));
}
