/** The part of markdown-it (which ships no types) that the pages use. */
declare module 'markdown-it' {
  interface Token {
    type: string;
    tag: string;
    /** 1: opening tag, 0: self-contained, -1: closing tag. */
    nesting: 1 | 0 | -1;
    level: number;
    /** First line, and the line after the last one. */
    map: [number, number] | null;
    info: string;
    content: string;
    markup: string;
    children: Token[] | null;
    meta: { id?: number } | null;
    attrGet(name: string): string | null;
    attrSet(name: string, value: string): void;
  }
  type RenderRule = (
    tokens: Token[],
    index: number,
    options: object,
    env: object,
    self: { renderToken(tokens: Token[], index: number, options: object): string },
  ) => string;
  interface TokenClass {
    new (type: string, tag: string, nesting: 1 | 0 | -1): Token;
  }
  interface InlineState {
    src: string;
    pos: number;
    push(type: string, tag: string, nesting: 1 | 0 | -1): Token;
  }
  interface BlockState {
    src: string;
    line: number;
    blkIndent: number;
    /** By line: offsets of the beginning and the end, characters of indent, columns of indent. */
    bMarks: number[];
    eMarks: number[];
    tShift: number[];
    sCount: number[];
    push(type: string, tag: string, nesting: 1 | 0 | -1): Token;
  }
  interface Ruler<R> {
    before(name: string, own: string, rule: R, options?: { alt: string[] }): void;
    after(name: string, own: string, rule: R): void;
    disable(name: string): unknown;
  }
  class MarkdownIt {
    constructor(options: { html: boolean; linkify: boolean; breaks: boolean });
    options: object;
    linkify: { set(options: { fuzzyLink: boolean; fuzzyEmail: boolean }): unknown };
    utils: { escapeHtml(text: string): string };
    renderer: { rules: Record<string, RenderRule | undefined>; render(tokens: Token[], options: object, env: object): string };
    validateLink: (url: string) => boolean;
    normalizeLink: (url: string) => string;
    inline: { ruler: Ruler<(state: InlineState, silent: boolean) => boolean> };
    block: { ruler: Ruler<(state: BlockState, startLine: number, endLine: number, silent: boolean) => boolean> };
    core: { ruler: Ruler<(state: { tokens: Token[]; Token: TokenClass }) => void> };
    use(plugin: (markdown: MarkdownIt) => void): this;
    parse(source: string, env: object): Token[];
  }
  namespace MarkdownIt {
    export { BlockState, InlineState };
  }
  export = MarkdownIt;
}

declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it';

  const footnote: (markdown: MarkdownIt) => void;
  export default footnote;
}
