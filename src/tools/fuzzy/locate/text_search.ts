/** The native search gets only this prefix of a longer pattern, because String.indexOf can be slow on long patterns. */
const NATIVE_LIMIT = 200;
/** The linear search runs instead when the prefix has this many candidates. */
const CANDIDATE_LIMIT = 100;

/** Returns the offsets of every occurrence of `pattern`, overlapping ones included, in order. Linear for every input. */
export function findOccurrences(text: string, pattern: string, limit = Number.POSITIVE_INFINITY): number[] {
  if (pattern.length === 0 || pattern.length > text.length) return [];
  if (pattern.length <= NATIVE_LIMIT) return findNatively(text, pattern, limit);
  const candidates = findNatively(text, pattern.slice(0, NATIVE_LIMIT), CANDIDATE_LIMIT);
  if (candidates.length === CANDIDATE_LIMIT) return findLinearly(text, pattern, limit);
  return candidates.filter(at => text.startsWith(pattern, at)).slice(0, limit);
}

function findNatively(text: string, pattern: string, limit: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at !== -1 && found.length < limit; at = text.indexOf(pattern, at + 1)) found.push(at);
  return found;
}

/** Knuth, Morris and Pratt: "Fast pattern matching in strings", 1977. */
function findLinearly(text: string, pattern: string, limit: number): number[] {
  const fallback = borders(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let i = 0; i < text.length && found.length < limit; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = fallback[matched - 1]!;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) {
      found.push(i - matched + 1);
      matched = fallback[matched - 1]!;
    }
  }
  return found;
}

/** Returns, for every prefix, the length of its longest proper prefix that is also its suffix. */
function borders(pattern: string): Int32Array {
  const lengths = new Int32Array(pattern.length);
  let matched = 0;
  for (let i = 1; i < pattern.length; i++) {
    const unit = pattern.charCodeAt(i);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = lengths[matched - 1]!;
    if (pattern.charCodeAt(matched) === unit) matched++;
    lengths[i] = matched;
  }
  return lengths;
}
