const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns true when objects and lists of a JSON text are nested deeper than `limit`, without parsing it. Approximate for other text. O(n). */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) inString = true;
    else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return false;
}

const WHOLE_STRING = /"(?:[^"\\]|\\.)*"/gs;
const OPENING: Readonly<Record<string, string>> = { ']': '[', '}': '{' };

/** Returns true when a short text closes every string, list and object that it opens, so that it was not truncated. */
export function isClosed(text: string): boolean {
  const bare = text.replaceAll(WHOLE_STRING, '');
  const open: string[] = [];
  for (const character of bare) {
    if (character === '"') return false;
    if (character === '[' || character === '{') open.push(character);
    else if (character in OPENING && open.pop() !== OPENING[character]) return false;
  }
  return open.length === 0;
}

/** Follows a text that arrives in pieces and tells when its object, list or string is closed. Approximate for text that is not JSON. O(n) for all pieces. */
export class JsonFollower {
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private hasBegun = false;

  get isClosed(): boolean {
    return this.hasBegun && this.depth === 0 && !this.inString;
  }

  add(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      if (this.isEscaped) this.isEscaped = false;
      else if (unit === BACKSLASH) this.isEscaped = this.inString;
      else if (unit === QUOTE) {
        this.inString = !this.inString;
        this.hasBegun = true;
      } else if (!this.inString && (unit === 0x5b || unit === 0x7b)) {
        this.depth += 1;
        this.hasBegun = true;
      } else if (!this.inString && (unit === 0x5d || unit === 0x7d)) this.depth -= 1;
    }
  }
}
