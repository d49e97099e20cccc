/** Titles of sessions, from their first message. */
const MAX_CHARACTERS = 60;
/** A shorter sentence says too little: a greeting, a list number, an abbreviation. A Chinese character counts as two. */
const LEAST_SENTENCE_WIDTH = 16;
/** The most characters that are read of a first line, which can be as long as a message. */
const LOOK_AHEAD = 400;

/** Title of a session from its first message: the first line, or its first sentences, or its first words with an ellipsis. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim().slice(0, LOOK_AHEAD) ?? '';
  if (lengthOf(line) <= MAX_CHARACTERS) return line;
  const sentences = leadingSegments(line, 'sentence', MAX_CHARACTERS);
  if (widthOf(sentences) >= LEAST_SENTENCE_WIDTH) return sentences;
  return `${leadingSegments(line, 'word', MAX_CHARACTERS - 1) || [...line].slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

/** Returns the whole segments from the start that fit into the limit. */
function leadingSegments(line: string, granularity: 'sentence' | 'word', limit: number): string {
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity }).segment(line)) {
    if (lengthOf(line.slice(0, index + segment.length).trimEnd()) > limit) break;
    end = index + segment.length;
  }
  return line.slice(0, end).replace(/[\s,;:，；：、]+$/u, '');
}

const lengthOf = (text: string): number => [...text].length;

const widthOf = (text: string): number => [...text].reduce((width, character) => width + (/\p{Script=Han}/u.test(character) ? 2 : 1), 0);
