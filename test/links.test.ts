/** Relative links in Markdown files lead to files that exist, and to headings of those files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const isPage = (path: string): boolean => path.endsWith('.md');
const pages = [
  ...readdirSync(ROOT).filter(isPage),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(isPage)
    .map(path => `docs/${path}`),
];

/** The text of a page without its code, in which brackets are no links. */
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, 'code');

/** Anchors as GitHub makes them from headings. */
function anchorsOf(path: string): Set<string> {
  const text = readFileSync(path, 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.replaceAll(/\]\([^)]*\)/g, ']'));
  const slugs = headings.map(heading =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return new Set(
    slugs.map((slug, i) => (slugs.indexOf(slug) === i ? slug : `${slug}-${slugs.slice(0, i).filter(other => other === slug).length}`)),
  );
}

function brokenLinks(page: string): string[] {
  const links = [...proseOf(join(ROOT, page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter(link => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target = '', anchor] = link.split('#');
    const path = target === '' ? join(ROOT, page) : join(ROOT, dirname(page), target);
    if (!existsSync(path)) return true;
    return anchor !== undefined && isPage(path) && !anchorsOf(path).has(decodeURIComponent(anchor));
  });
}

it.each(pages)('%s has no broken link', page => {
  expect(brokenLinks(page)).toEqual([]);
});

it('no page holds the marks of an unfinished merge', () => {
  expect(pages.filter(page => /^(?:<{7}|>{7}) /m.test(readFileSync(join(ROOT, page), 'utf8')))).toEqual([]);
});

it('the pages are found', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'AGENTS.md', 'docs/protocol.zh-CN.md', 'docs/guides/operate.md']));
});

/** Pages for people who read the code, which are written in English alone. */
const ENGLISH_ONLY = /^docs\/(?:architecture|design|performance|reliability|patch|transactions|tuning|decisions\/.*)\.md$/;

it.each(pages.filter(page => page.startsWith('docs/') && !page.endsWith('.zh-CN.md')))(
  '%s has a Chinese twin unless it is about the code',
  page => {
    expect(pages.includes(page.replace('.md', '.zh-CN.md'))).toBe(!ENGLISH_ONLY.test(page));
  },
);
