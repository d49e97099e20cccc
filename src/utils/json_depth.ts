const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Whether objects and lists of a JSON text are nested deeper than `limit`, found before anything is built from it. Of other text a guess. Linear. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  walkBrackets(text, unit => {
    depth += isOpening(unit) ? 1 : -1;
    return depth <= limit;
  });
  return depth > limit;
}

/** Whether every object, list and string that the text begins is ended in it, innermost first: a text that was cut is not. Linear. */
export function isClosed(text: string): boolean {
  const open: number[] = [];
  let isPaired = true;
  const endsOutside = walkBrackets(text, unit => {
    if (isOpening(unit)) open.push(unit);
    else isPaired = open.pop() === (unit === CLOSE_LIST ? OPEN_LIST : OPEN_OBJECT);
    return isPaired;
  });
  return isPaired && endsOutside && open.length === 0;
}

const isOpening = (unit: number): boolean => unit === OPEN_LIST || unit === OPEN_OBJECT;

/** Visits the brackets outside strings until `visit` says no. Whether the walk ended outside a string. */
function walkBrackets(text: string, visit: (unit: number) => boolean): boolean {
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) inString = true;
    else if (isOpening(unit) || unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
      if (!visit(unit)) break;
    }
  }
  return !inString;
}
