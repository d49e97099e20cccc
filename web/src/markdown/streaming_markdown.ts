/**
 * Markdown that grows. A block that is followed by another one will not change any more: it is rendered once and kept as the very same
 * object, and only the open tail of the text is parsed again. The cost of a token is that of the last block, not that of the text.
 */
import type { MarkdownBlock, MarkdownParser } from './markdown_parser';

export interface StreamingMarkdown {
  /** Blocks of the whole text so far; those that did not change are identical to those of the call before. */
  update(text: string): readonly MarkdownBlock[];
  /** The text is complete. Link definitions may stand below their use, so everything is read once more; equal blocks stay identical. */
  finish(text: string): readonly MarkdownBlock[];
}

export function createStreamingMarkdown(parser: MarkdownParser): StreamingMarkdown {
  let seen = '';
  let closed: MarkdownBlock[] = [];
  let shown: readonly MarkdownBlock[] = [];

  return {
    update: text => {
      if (!text.startsWith(seen)) closed = [];
      seen = text;
      const offset = closed.at(-1)?.end ?? 0;
      const blocks = parser.parse(text.slice(offset)).map(block => shift(block, offset));
      closed = [...closed, ...blocks.slice(0, -1)];
      shown = [...closed, ...blocks.slice(-1)];
      return shown;
    },
    finish: text => {
      shown = parser.parse(text).map((block, index) => {
        const before = shown[index];
        return before && isSame(before, block) ? before : block;
      });
      return shown;
    },
  };
}

function shift(block: MarkdownBlock, offset: number): MarkdownBlock {
  return offset === 0 ? block : { ...block, start: block.start + offset, end: block.end + offset };
}

function isSame(a: MarkdownBlock, b: MarkdownBlock): boolean {
  if (a.kind === 'code') return b.kind === 'code' && a.code === b.code && a.language === b.language;
  return b.kind === 'html' && a.html === b.html;
}
