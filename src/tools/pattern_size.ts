/**
 * Returns how large the program of a regular expression becomes: its atoms, each as often as counted repetitions around it say. Compiling takes
 * time and memory in proportion: `(a?b?){1000}` is 12 characters and 2,000 atoms. O(length); a pattern that is not valid gets some number.
 */
export function patternSize(pattern: string): number {
  /** The size of each open group, and of its last atom. */
  const groups: { size: number; last: number }[] = [];
  let group = { size: 0, last: 0 };
  const add = (size: number) => {
    group.size += size;
    group.last = size;
  };
  for (const [token, count, upTo] of pattern.matchAll(TOKEN)) {
    if (token === '(') {
      groups.push(group);
      group = { size: 0, last: 0 };
    } else if (token === ')') {
      const { size } = group;
      group = groups.pop() ?? { size: 0, last: 0 };
      add(size + 1);
    } else if (count !== undefined) {
      const times = Math.max(1, Number(count), Number(upTo || 0));
      group.size += group.last * (times - 1);
      group.last *= times;
    } else add(UNICODE_CLASS.test(token) ? UNICODE_CLASS_SIZE : 1);
  }
  return groups.reduce((sum, { size }) => sum + size, group.size);
}

const UNICODE_CLASS = /\\p/i;
/** Size of a Unicode class, which has hundreds of ranges. */
const UNICODE_CLASS_SIZE = 20;
/** A counted repetition, an escape, a class, or one character. */
const TOKEN = /\{(\d+)(?:,(\d*))?\}|\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./gis;
