/** Texts for the search benchmark: made words with the frequencies of natural language, half of them English, half Chinese. The same numbers give the same texts. */

const ENGLISH_WORDS = 30_000;
const CHINESE_WORDS = 12_000;
const CHINESE_CHARACTERS = 3_000;

/** Linear congruential generator; returns numbers in [0, 1). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

const CONSONANTS = 'bcdfghklmnprstvw';
const VOWELS = 'aeiou';

function englishWord(random) {
  const pick = letters => letters[Math.floor(random() * letters.length)];
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(CONSONANTS) + pick(VOWELS)).join('') + pick('nrlmk');
}

function chineseWord(random) {
  const character = () => String.fromCodePoint(0x4e00 + Math.floor(random() ** 2 * CHINESE_CHARACTERS));
  return Array.from({ length: random() < 0.7 ? 2 : 3 }, character).join('');
}

/** `english` and `chinese`: the words, the most common one first. `text(i)`: the text of message i. */
export function createCorpus() {
  const random = createRandom(7);
  const english = [...new Set(Array.from({ length: ENGLISH_WORDS }, () => englishWord(random)))];
  const chinese = [...new Set(Array.from({ length: CHINESE_WORDS }, () => chineseWord(random)))];
  // Zipf: the word of rank r occurs 1/r as often as the first one.
  const zipf = words => words[Math.floor(words.length ** random()) - 1];
  const sentence = (words, gap, stop) => `${Array.from({ length: 6 + Math.floor(random() * 12) }, () => zipf(words)).join(gap)}${stop}`;
  const text = i => {
    const count = 2 + Math.floor(random() * 8);
    const [words, gap, stop] = i % 2 === 0 ? [english, ' ', '. '] : [chinese, '', '。'];
    return Array.from({ length: count }, () => sentence(words, gap, stop)).join('');
  };
  return { english, chinese, text };
}
