/** The text of a SKILL.md: YAML front matter between lines of `---`, then Markdown. */

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const NAME_LINE = /^name:.*$/m;

export function splitDocument(content: string): { frontMatter: string; text: string } {
  const match = FRONT_MATTER.exec(content);
  return { frontMatter: match?.[1] ?? '', text: match ? content.slice(match[0].length) : content };
}

/** Puts the name into the front matter. The gateway compares it with the name in the address. */
export function withName(content: string, name: string): string {
  const [head = ''] = FRONT_MATTER.exec(content) ?? [];
  // A function as the replacement, so that a `$` in the name has no meaning.
  return head.replace(NAME_LINE, () => `name: ${name}`) + content.slice(head.length);
}

/** Returns the name in the front matter, as a skill name; '' without one. */
export function readName(content: string): string {
  const [head = ''] = FRONT_MATTER.exec(content) ?? [];
  return toSkillName(NAME_LINE.exec(head)?.[0].slice('name:'.length).trim() ?? '');
}

/** Makes what a person types into a name that the format allows: lower-case letters, digits and single hyphens. */
export function toSkillName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 64);
}
