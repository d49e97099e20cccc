/**
 * Parses Markdown that grows. A block that another one follows no longer changes: it is parsed once and stays the same object. Only the
 * text after it is parsed again, so the cost of a token depends on the last block and not on the whole text.
 */
import { closeUnfinished } from './close_unfinished';
import type { MarkdownBlock, MarkdownParser } from './markdown_parser';

export interface StreamingMarkdown {
  /** Returns the blocks of the text so far. Unchanged blocks are the same objects as in the previous call. */
  update(text: string): readonly MarkdownBlock[];
  /** Returns the blocks of the complete text, parsed again because a link may be defined after its use. Equal blocks stay the same objects. */
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
      const blocks = parser.parse(closeUnfinished(text.slice(offset))).map(block => shift(block, offset));
      const growing = growingBlock(blocks);
      shown = [...closed, ...blocks];
      closed = [...closed, ...blocks.slice(0, Math.max(0, growing))];
      return shown;
    },
    finish: text => {
      const sanitised = new Map(shown.flatMap(block => (block.kind === 'html' ? [[block.rendered, block.html] as const] : [])));
      shown = parser.parse(text, sanitised).map((block, index) => {
        const before = shown[index];
        return before && isSame(before, block) ? before : block;
      });
      return shown;
    },
  };
}

/** Returns the position of the block that the next text may change: the last one above the footnotes. -1 when there is none. */
export const growingBlock = (blocks: readonly MarkdownBlock[]): number =>
  blocks.findLastIndex(block => block.kind !== 'html' || block.isNotes !== true);

function shift(block: MarkdownBlock, offset: number): MarkdownBlock {
  return offset === 0 ? block : { ...block, start: block.start + offset, end: block.end + offset };
}

function isSame(a: MarkdownBlock, b: MarkdownBlock): boolean {
  if (a.kind === 'code') return b.kind === 'code' && a.code === b.code && a.language === b.language;
  if (a.kind === 'formula') return b.kind === 'formula' && a.tex === b.tex;
  return b.kind === 'html' && a.html === b.html;
}
