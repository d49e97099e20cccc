import fc from 'fast-check';
import { createMarkdownParser, type MarkdownBlock, type MarkdownParser } from '../../../web/src/markdown/markdown_parser';
import { createStreamingMarkdown, growingBlock } from '../../../web/src/markdown/streaming_markdown';

const parser = createMarkdownParser(html => html);
const show = (blocks: readonly MarkdownBlock[]): string[] =>
  blocks.map(block => (block.kind === 'code' ? block.code : block.kind === 'html' ? block.html : block.tex));

const SAMPLE = `# Title

A paragraph with **bold** text
on two lines.

- one
- two
  - three

\`\`\`ts
const x = 1;

const y = 2;
\`\`\`

| a | b |
|---|--:|
| 1 | 2 |

> quoted

The end, see [here][ref].

[ref]: https://example.org`;

describe('Markdown that grows', () => {
  it('gives the same blocks whatever the pieces of the text', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 }), sizes => {
        const streaming = createStreamingMarkdown(parser);
        let offset = 0;
        for (const size of sizes) {
          offset += size;
          streaming.update(SAMPLE.slice(0, offset));
        }
        expect(show(streaming.finish(SAMPLE))).toEqual(show(parser.parse(SAMPLE)));
      }),
    );
  });

  it('keeps finished blocks as the same objects and parses only the text after them', () => {
    const parsed: string[] = [];
    const counting: MarkdownParser = {
      parse: source => {
        parsed.push(source);
        return parser.parse(source);
      },
    };
    const streaming = createStreamingMarkdown(counting);
    const first = streaming.update('one\n\ntwo\n\nthr');
    const second = streaming.update('one\n\ntwo\n\nthree');
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toBe(first[1]);
    expect(show(second)).toEqual(['<p>one</p>\n', '<p>two</p>\n', '<p>three</p>\n']);
    expect(parsed.at(-1)?.trim()).toBe('three');
  });

  it('sanitises only what changes when the text is complete', () => {
    const sanitised: string[] = [];
    const streaming = createStreamingMarkdown(createMarkdownParser(html => `${sanitised.push(html)} ${html}`));
    const before = streaming.update('one\n\ntwo [here][a]\n\nthr');
    sanitised.length = 0;
    const after = streaming.finish('one\n\ntwo [here][a]\n\nthree\n\n[a]: https://example.org');
    expect(after[0]).toBe(before[0]);
    expect(sanitised).toEqual([expect.stringContaining('href="https://example.org"'), '<p>three</p>\n']);
  });

  it('keeps a growing paragraph whole while the footnotes stand below it', () => {
    const text = 'A claim[^1].\n\n[^1]: The note.\n\nThe next paragraph goes\non over two lines.';
    for (let end = 1; end <= text.length; end += 1) {
      const streaming = createStreamingMarkdown(parser);
      streaming.update(text.slice(0, end));
      expect(show(streaming.update(text))).toContain('<p>The next paragraph goes<br>\non over two lines.</p>\n');
    }
  });

  it('grows the block above the footnotes', () => {
    const noted = 'A claim[^1].\n\n[^1]: The note.\n\n```ts\nconst x';
    const blocks = createStreamingMarkdown(parser).update(noted);
    expect(blocks.map(({ kind }) => kind)).toEqual(['html', 'code', 'html']);
    expect(growingBlock(blocks)).toBe(1);
    expect(growingBlock([])).toBe(-1);
  });

  it('shows a code block while it is open, with its language', () => {
    const streaming = createStreamingMarkdown(parser);
    expect(streaming.update('Look:\n\n```ts\nconst x')).toMatchObject([
      { kind: 'html' },
      { kind: 'code', language: 'ts', code: 'const x' },
    ]);
  });

  it('starts over when the text is replaced', () => {
    const streaming = createStreamingMarkdown(parser);
    streaming.update('one\n\ntwo');
    expect(show(streaming.update('other'))).toEqual(['<p>other</p>\n']);
  });
});
