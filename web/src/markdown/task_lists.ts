/// <reference path="./markdown_it.d.ts" />
/** Reads `[ ]` and `[x]` at the beginning of a list item as a box. */
import type MarkdownIt from 'markdown-it';

const MARK = /^\[([ xX])\]\s+/;

export function readTaskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'task_lists', ({ tokens, Token }) => {
    for (const [index, token] of tokens.entries()) {
      const item = tokens[index - 2];
      const [text] = token.children ?? [];
      const mark = MARK.exec(text?.type === 'text' ? text.content : '');
      if (!mark || !text || item?.type !== 'list_item_open') continue;
      text.content = text.content.slice(mark[0].length);
      const box = new Token('task_mark', '', 0);
      box.content = mark[1] === ' ' ? '' : 'x';
      token.children?.unshift(box);
      item.attrSet('class', 'task');
    }
  });
  // The brackets are read aloud and copied; style sheets draw a box instead.
  markdown.renderer.rules['task_mark'] = (tokens, index) => {
    const isDone = tokens[index]?.content === 'x';
    return `<span class="task-mark${isDone ? ' done' : ''}"><span class="visually-hidden">[${isDone ? 'x' : ' '}] </span></span>`;
  };
}
