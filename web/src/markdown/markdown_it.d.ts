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
  class MarkdownIt {
    constructor(options: { html: boolean; linkify: boolean; breaks: boolean });
    options: object;
    linkify: { set(options: { fuzzyLink: boolean; fuzzyEmail: boolean }): unknown };
    utils: { escapeHtml(text: string): string };
    renderer: { rules: Record<string, RenderRule | undefined>; render(tokens: Token[], options: object, env: object): string };
    validateLink: (url: string) => boolean;
    parse(source: string, env: object): Token[];
  }
  export = MarkdownIt;
}
