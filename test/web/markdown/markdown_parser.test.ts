import { createMarkdownParser } from '../../../web/src/markdown/markdown_parser';

const parser = createMarkdownParser(html => html);
const html = (source: string): string =>
  parser
    .parse(source)
    .map(block => (block.kind === 'html' ? block.html : ''))
    .join('');

describe('the Markdown of an answer', () => {
  it('opens links in a new tab without access to the page', () => {
    expect(html('[a](https://example.org)')).toContain('<a href="https://example.org" target="_blank" rel="noopener noreferrer">a</a>');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', '/relative'])('makes no link of %s', address => {
    expect(html(`[a](${address})`)).not.toContain('<a');
  });

  it('shows html as text', () => {
    expect(html('<img src=x onerror=alert(1)>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>\n');
  });

  it('shows the address of an image instead of loading it', () => {
    const shown = html('![chart](https://example.org/c.png?secret=1)');
    expect(shown).not.toContain('<img');
    expect(shown).toContain('class="foreign-image"');
    expect(shown).toContain('>chart</a>');
    const withoutLogin = createMarkdownParser(text => text, { hasFiles: false }).parse('![chart](https://example.org/c.png)')[0];
    expect(withoutLogin).toMatchObject({ html: expect.not.stringContaining('foreign-image') });
  });

  it('makes no link of a file name', () => {
    expect(html('see README.md and bootstrap.js')).not.toContain('<a');
    expect(html('see https://example.org/x')).toContain('<a');
  });

  it('aligns table columns without inline styles', () => {
    const shown = html('| a | b |\n|:--|--:|\n| 1 | 2 |');
    expect(shown).toContain('<td class="align-right">2</td>');
    expect(shown).not.toContain('style=');
  });

  it('gives every block to the sanitiser', () => {
    const seen: string[] = [];
    createMarkdownParser(block => {
      seen.push(block);
      return 'clean';
    }).parse('one\n\n- two');
    expect(seen).toHaveLength(2);
  });
});
