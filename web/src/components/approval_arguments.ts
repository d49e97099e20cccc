/** Arguments of a call that needs approval: shown exactly, and edited as text. */

/** Lists each argument with its exact value: a string as it is, everything else as JSON. */
export function listArguments(args: unknown): { name: string; text: string }[] {
  if (!isObject(args)) return [{ name: '', text: showHidden(JSON.stringify(args, null, 2) ?? '') }];
  return Object.entries(args).map(([name, value]) => ({
    name,
    text: showHidden(typeof value === 'string' ? value : JSON.stringify(value, null, 2)),
  }));
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Spells out the characters that could disguise a text: invisible ones and those that change the direction of writing. */
function showHidden(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
