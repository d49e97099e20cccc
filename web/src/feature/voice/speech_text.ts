/** Turns Markdown into what a voice says: code and formulas are announced, not spelled. Pure. */
import { toPlainText } from '../../markdown/plain_text';
import type { VoiceTexts } from './voice_texts';

type SpokenWords = Pick<VoiceTexts, 'codeBlock' | 'formula' | 'link'>;

/** Browsers stop in the middle of a longer text. */
const MAX_PIECE = 200;

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
const FORMULA = /\$\$[\s\S]+?\$\$|\\\[[\s\S]+?\\\]|\\\([\s\S]+?\\\)|(?<![\w$\\])\$(?=[^\s$])(?![\d.,]+\s)[^$\n]*?[^\s$\\]\$(?![\w$])/g;
const IMAGE = /!\[([^\]]*)\]\([^)\s]*[^)]*\)/g;
const ADDRESS = /<?\bhttps?:\/\/([^\s/<>)\]"']+)[^\s<>)\]"']*>?/g;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/gm;
const TABLE_ROW = /^[ \t]*\|(.+)\|[ \t]*$/gm;
const LINE_RULE = /^[ \t]*(?:\*[ \t]*){3,}$|^[ \t]*(?:_[ \t]*){3,}$/gm;
const FOOTNOTE = /\[\^[^\]]+\]:?/g;
const TASK = /^([ \t]*[-*+][ \t]+)\[[ xX]\][ \t]+/gm;
const EMPHASIS = /(?<![\w*\\])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])/g;
const LINK = /\[([^\]]+)\]\([^)\s]*(?:\s+"[^"]*")?\)/g;

/** Returns sentences and parts of long sentences, in their order. */
export function toSpeech(markdown: string, words: SpokenWords): string[] {
  const marked = markdown
    .replace(FENCE, (_, _fence, language: string, code: string) => `\n${words.codeBlock(language, code.trimEnd().split('\n').length)}\n`)
    .replace(FORMULA, words.formula)
    .replace(IMAGE, '$1')
    .replace(LINK, '$1')
    .replace(ADDRESS, (_, host: string) => words.link(host))
    .replace(TABLE_RULE, '')
    .replace(LINE_RULE, '')
    .replace(TABLE_ROW, (_, row: string) =>
      row
        .split('|')
        .map(cell => cell.trim())
        .filter(Boolean)
        .join(', '),
    )
    .replace(FOOTNOTE, '')
    .replace(TASK, '$1');
  return toPlainText(marked).replace(EMPHASIS, '$2').split(/\n+/).flatMap(toSentences).flatMap(toPieces);
}

const SENTENCE_END = /(?<=[.!?…][)"'’”]*)\s+|(?<=[。！？])/u;
const PART_END = /(?<=[,;:])\s+|(?<=[，；：、])/u;

const toSentences = (line: string): string[] =>
  line
    .split(SENTENCE_END)
    .map(sentence => sentence.trim())
    .filter(sentence => /[\p{Letter}\p{Number}]/u.test(sentence));

/** Splits a long sentence at commas, else at blanks, else anywhere. */
function toPieces(sentence: string): string[] {
  if (sentence.length <= MAX_PIECE) return [sentence];
  const parts = sentence.split(PART_END).flatMap(part => (part.length <= MAX_PIECE ? [part] : part.split(/(?<=\s)/)));
  const pieces: string[] = [];
  for (const part of parts.flatMap(cutLong)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length < MAX_PIECE)
      pieces[pieces.length - 1] = `${last}${/[\s，；：、]$/.test(last) ? '' : ' '}${part}`;
    else pieces.push(part);
  }
  return pieces.map(piece => piece.trim());
}

const cutLong = (part: string): string[] => part.match(new RegExp(`[\\s\\S]{1,${MAX_PIECE}}`, 'g')) ?? [];
