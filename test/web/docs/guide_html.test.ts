/** The pages of docs/ inside the API page. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guideSections } from '../../../web/src/docs/guide_html';
import { GUIDES, guideOf } from '../../../web/src/docs/guides';

const DOCS = join(__dirname, '../../../docs');
const fileOf = (name: string, language: string): string => `${name}${language}.md`;
const files = GUIDES.flatMap(({ name }) => ['', '.zh-CN'].map(language => ({ name, file: fileOf(name, language) }))).filter(({ file }) =>
  existsSync(join(DOCS, file)),
);

describe('a guide of the API page', () => {
  it.each(GUIDES)('$name exists in English, and in Chinese unless its Chinese title says that it is English', ({ name, title }) => {
    expect(existsSync(join(DOCS, fileOf(name, '')))).toBe(true);
    expect(existsSync(join(DOCS, fileOf(name, '.zh-CN')))).toBe(!title['zh-CN'].endsWith('（英文）'));
  });

  it('links only to other websites and to existing headings', () => {
    const pages = files.map(({ name, file }) => ({
      file,
      html: [...guideSections(readFileSync(join(DOCS, file), 'utf8'), name)].join(''),
    }));
    const ids = new Set(pages.flatMap(({ html }) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)));
    const broken = pages.flatMap(({ file, html }) =>
      [...html.matchAll(/ href="([^"]+)"/g)]
        .map(([, href]) => href!)
        .filter(href => !/^https?:/.test(href))
        .filter(href => (guideOf(href.slice(1))?.section ? !ids.has(href.slice(1)) : !guideOf(href.slice(1))))
        .map(href => `${file}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it('shows raw html as text, keeps links on the page, and removes the link to the other language', () => {
    const [html] = guideSections(
      '# T\n\n[中文](errors.zh-CN.md)\n\n<b>x</b> [a](guides/operate.md#sandbox) [b](decisions/0001.md) [c](javascript:x)',
      'errors',
    );
    expect(html).toContain('&lt;b&gt;x');
    expect(html).toContain('<a href="#guide:guides/operate:sandbox">a</a> <a>b</a>');
    expect(html).not.toMatch(/中文|href="javascript/);
  });
});
