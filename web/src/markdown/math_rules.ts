/// <reference path="./markdown_it.d.ts" />
/** Reads formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. What stands between the marks reaches KaTeX as it was written. */
import type MarkdownIt from 'markdown-it';
import type { BlockState, InlineState } from 'markdown-it';

/** A price such as "5 and US": a number, a space and a word, without anything that only formulas have. */
const PRICE = /^[\d.,]+(?:\s[^\\=^_+*/<>]*)?$/;
const SIMPLE_NUMBER = /^[\d.,]+$/;

export function readFormulas(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'formula', readInlineFormula);
  markdown.block.ruler.before('fence', 'formula', readFormulaBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules['formula'] = (tokens, index) => {
    const token = tokens[index];
    return `<span class="formula${token?.markup === 'display' ? ' display' : ''}">${escapeHtml(token?.content ?? '')}</span>`;
  };
  markdown.renderer.rules['formula_block'] = (tokens, index) =>
    `<div class="formula display">${escapeHtml(tokens[index]?.content ?? '')}</div>\n`;
}

function readInlineFormula(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state;
  const found =
    findMarked(src, pos, '\\(', '\\)') ?? findMarked(src, pos, '\\[', '\\]') ?? findMarked(src, pos, '$$', '$$') ?? findDollars(src, pos);
  if (!found) return false;
  if (!silent) {
    const token = state.push('formula', 'span', 0);
    token.content = found.tex;
    token.markup = src.startsWith('\\[', pos) || src.startsWith('$$', pos) ? 'display' : 'inline';
  }
  state.pos = found.end;
  return true;
}

interface Formula {
  tex: string;
  /** Offset after the closing mark. */
  end: number;
}

function findMarked(source: string, start: number, open: string, close: string): Formula | undefined {
  if (!source.startsWith(open, start) || isEscaped(source, start)) return undefined;
  const from = start + open.length;
  const to = source.indexOf(close, from);
  const tex = to < 0 ? '' : source.slice(from, to).trim();
  return tex === '' ? undefined : { tex, end: to + close.length };
}

/** A single dollar opens a formula when no space follows it, and closes one when no space stands before it and no digit follows. */
function findDollars(source: string, start: number): Formula | undefined {
  if (source[start] !== '$' || /[\w$\\]/.test(source[start - 1] ?? '') || /[\s$]/.test(source[start + 1] ?? ' ')) return undefined;
  for (let to = source.indexOf('$', start + 1); to > 0; to = source.indexOf('$', to + 1)) {
    if (isEscaped(source, to)) continue;
    const tex = source.slice(start + 1, to);
    if (/\s$/.test(tex) || /[\w$]/.test(source[to + 1] ?? '')) return undefined;
    return PRICE.test(tex) && !SIMPLE_NUMBER.test(tex) ? undefined : { tex, end: to + 1 };
  }
  return undefined;
}

function isEscaped(source: string, position: number): boolean {
  let count = 0;
  while (source[position - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

/** Reads a formula that begins a line and ends one. */
function readFormulaBlock(state: BlockState, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineText(state, startLine);
  const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : undefined;
  if (!close) return false;
  const lines = [first.slice(2)];
  for (let line = startLine; line < endLine; line += 1) {
    if (line > startLine) {
      if ((state.sCount[line] ?? 0) < state.blkIndent) return false;
      lines.push(lineText(state, line));
    }
    const last = (lines.at(-1) ?? '').trimEnd();
    // Text behind the closing mark makes it a formula inside a paragraph.
    if (last.includes(close) && !last.endsWith(close)) return false;
    if (!last.endsWith(close)) continue;
    const tex = [...lines.slice(0, -1), last.slice(0, -close.length)].join('\n').trim();
    if (tex === '') return false;
    if (silent) return true;
    state.line = line + 1;
    const token = state.push('formula_block', 'div', 0);
    token.content = tex;
    token.map = [startLine, state.line];
    return true;
  }
  return false;
}

function lineText(state: BlockState, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}
