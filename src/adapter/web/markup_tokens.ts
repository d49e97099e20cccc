/** Reads HTML token by token, in linear time whatever the page is. */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

export interface MarkupHandlers {
  /** `at`: index of the first character of the name. Return false to stop reading. */
  onOpenTag(name: string, at: number): boolean;
  onCloseTag(name: string): void;
  /** `end`: index of the closing bracket. */
  onTagEnd(end: number, isSelfClosing: boolean): void;
  /** Characters with their entities decoded. */
  onText(text: string): void;
}

/** Longer names are cut: no element that the callers know is that long. */
const MAX_NAME_UNITS = 32;

/**
 * The tokenizer of htmlparser2, without its parser: the parser keeps a stack of open elements and searches it for each end tag, which takes
 * quadratic time on a hostile page.
 */
export function readMarkup(html: string, handlers: MarkupHandlers): void {
  const nameAt = (start: number, end: number) => html.slice(start, Math.min(end, start + MAX_NAME_UNITS)).toLowerCase();
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      if (!handlers.onOpenTag(nameAt(start, end), start)) tokenizer.pause();
    },
    onclosetag: (start, end) => handlers.onCloseTag(nameAt(start, end)),
    onopentagend: end => handlers.onTagEnd(end, false),
    onselfclosingtag: end => handlers.onTagEnd(end, true),
    ontext: (start, end) => handlers.onText(html.slice(start, end)),
    ontextentity: codePoint => handlers.onText(String.fromCodePoint(codePoint)),
    onattribdata() {},
    onattribentity() {},
    onattribend() {},
    onattribname() {},
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {},
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
}
