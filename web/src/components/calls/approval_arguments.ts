/** Arguments of a call that needs approval: shown exactly, and edited as text. */

/**
 * `inline`: a short value beside a long one. `diff`: a change, as the lines of a diff. `folded`: the new text of a file, whose change is shown.
 * `words`: the value said in the language of the page.
 */
export interface ArgumentRow {
  name: string;
  text: string;
  form: 'inline' | 'block' | 'diff' | 'folded' | 'words';
}

/** Characters of a value that fits into the line of its name. */
const MAX_INLINE = 80;
/** Arguments that are a text to find and the text to put in its place. */
const OLD_TEXT = 'old_string';
const NEW_TEXT = 'new_string';
const CHANGE = `${OLD_TEXT} → ${NEW_TEXT}`;

/**
 * Lists each argument with its exact value: a string as it is, everything else as JSON. A replacement is listed as a diff. `diff`: of the file that the
 * call would write or delete.
 */
export function listArguments(args: unknown, diff?: string): ArgumentRow[] {
  if (!isObject(args)) return [{ name: '', text: showHidden(JSON.stringify(args, null, 2) ?? ''), form: 'block' }];
  const { [OLD_TEXT]: oldText, [NEW_TEXT]: newText, ...others } = args;
  const isReplacement = typeof oldText === 'string' && typeof newText === 'string';
  const rows = Object.entries(isReplacement ? others : args).map(([name, value]): ArgumentRow => {
    const text = showHidden(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return { name, text, form: text.length > MAX_INLINE || text.includes('\n') ? 'block' : 'inline' };
  });
  if (isReplacement) rows.push({ name: CHANGE, text: showHidden(toDiff(oldText, newText)), form: 'diff' });
  else if (diff) return withChange(rows, showHidden(diff));
  // When no value is long, the short values are what the person decides about, so each gets a box of its own.
  const isLong = rows.some(({ form }) => form !== 'inline');
  return rows.map(row => (isLong ? row : { ...row, form: 'block' }));
}

/** The change stands before the whole new text. */
function withChange(rows: readonly ArgumentRow[], diff: string): ArgumentRow[] {
  const isContent = ({ name }: ArgumentRow) => name === 'content';
  const change: ArgumentRow = { name: CHANGE, text: diff, form: 'diff' };
  const folded = rows.filter(isContent).map(row => ({ ...row, form: 'folded' as const }));
  return [...rows.filter(row => !isContent(row)), change, ...folded];
}

/** Marks removed and added lines; equal lines at the beginning and the end stay unmarked. */
function toDiff(oldText: string, newText: string): string {
  const [before, after] = [oldText.split('\n'), newText.split('\n')];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...before.slice(0, start).map(line => ` ${line}`),
    ...before.slice(start, before.length - end).map(line => `-${line}`),
    ...after.slice(start, after.length - end).map(line => `+${line}`),
    ...before.slice(before.length - end).map(line => ` ${line}`),
  ].join('\n');
}

/** Returns the text that a person edits: the value of a single text argument, else all arguments as JSON. */
export function toEditable(args: unknown): string {
  const name = loneText(args);
  return name !== undefined && isObject(args) ? String(args[name]) : JSON.stringify(args, null, 2);
}

/** Parses the edited text; undefined when it is not valid. */
export function fromEditable(args: unknown, text: string): Record<string, unknown> | undefined {
  const name = loneText(args);
  if (name !== undefined) return { [name]: text };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function loneText(args: unknown): string | undefined {
  const [only, ...others] = isObject(args) ? Object.entries(args) : [];
  return only && others.length === 0 && typeof only[1] === 'string' ? only[0] : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Spells out the characters that could disguise a text: invisible ones and those that change the direction of writing. */
export function showHidden(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
