/** Returns one or two characters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.replace(/^@/, '').trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(word => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase();
}
