/** Summarises texts by their own sentences: those that hold the most of the wanted words, each with the number of its source. No model is asked. */
import { isCommonWord } from '../utils/common_words';
import { searchTokens } from '../utils/search_tokens';

export interface SummarySource {
  /** Number by which the summary names the source. */
  number: number;
  text: string;
}

const MAX_SENTENCES = 10;
const MAX_PER_SOURCE = 3;
const MIN_SENTENCE_UNITS = 15;
const MAX_SENTENCE_UNITS = 400;
/** Units of one source that are looked at. */
const MAX_SOURCE_UNITS = 50_000;
const SENTENCE = /[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?/g;

interface Sentence {
  text: string;
  source: number;
  /** Position of the sentence in its source. */
  place: number;
  words: ReadonlySet<string>;
}

/** Returns the summary: one line per sentence, the sources in their order; '' when no sentence holds a wanted word. */
export function extractSummary(sources: readonly SummarySource[], subject: string): string {
  const wanted = wordsOf(subject);
  const sentences = sources.flatMap(source => sentencesOf(source, wanted));
  const chosen = chooseSentences(sentences).sort((a, b) => a.source - b.source || a.place - b.place);
  return chosen.map(({ text, source }) => `${text} [${source}]`).join('\n');
}

function wordsOf(text: string): Set<string> {
  const words = searchTokens(text).map(token => token.text);
  const telling = words.filter(word => !isCommonWord(word));
  return new Set(telling.length > 0 ? telling : words);
}

function sentencesOf({ number, text }: SummarySource, wanted: ReadonlySet<string>): Sentence[] {
  const found = text.slice(0, MAX_SOURCE_UNITS).match(SENTENCE) ?? [];
  const sentences = found.map((sentence, place) => {
    const plain = sentence
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[#*_`|>]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const words = new Set(searchTokens(plain).flatMap(token => (wanted.has(token.text) ? [token.text] : [])));
    return { text: plain, source: number, place, words };
  });
  return sentences.filter(({ text: { length }, words }) => words.size > 0 && length >= MIN_SENTENCE_UNITS && length <= MAX_SENTENCE_UNITS);
}

/** Prefers the sentence with the most words that no chosen sentence has; of equals, the one with more words. */
function chooseSentences(sentences: readonly Sentence[]): Sentence[] {
  const chosen: Sentence[] = [];
  const covered = new Set<string>();
  const left = new Set(sentences);
  const perSource = new Map<number, number>();
  while (chosen.length < MAX_SENTENCES && left.size > 0) {
    const score = ({ words }: Sentence) => words.size + [...words].filter(word => !covered.has(word)).length;
    const best = [...left].reduce((a, b) => (score(b) > score(a) ? b : a));
    left.delete(best);
    const count = perSource.get(best.source) ?? 0;
    if (count >= MAX_PER_SOURCE || chosen.some(({ text }) => text === best.text)) continue;
    perSource.set(best.source, count + 1);
    chosen.push(best);
    for (const word of best.words) covered.add(word);
  }
  return chosen;
}
