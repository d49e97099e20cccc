/** Counts the tokens of texts. Each tokenizer is loaded with its first use and takes tens of megabytes, so load this module in a thread. */

/** The workerData and the messages of a thread. */
export interface TokenCountJob {
  model: string;
  texts: readonly string[];
}

type CountTokens = (text: string, options: { disallowedSpecial: Set<string> }) => number;

/** Text of people may hold the special tokens of a model; they count as text. */
const OPTIONS = { disallowedSpecial: new Set<string>() };
/** The tokenizer takes a time that is quadratic in the length of a text without a space, so that a longer text is counted in pieces. */
const MAX_PIECE_UNITS = 1_000;
/** The models before gpt-4o. */
const CL100K_MODELS = /^(?:gpt-4(?![\w.]*(?:o|\.\d))|gpt-3\.5|gpt-35)/;

/** Returns the number of tokens of each text. */
export function countTexts({ model, texts }: TokenCountJob): number[] {
  const count = CL100K_MODELS.test(model) ? loadCl100k() : loadO200k();
  return texts.map(text => piecesOf(text).reduce((sum, piece) => sum + count(piece, OPTIONS), 0));
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let i = 0; i < text.length; i += MAX_PIECE_UNITS) pieces.push(text.slice(i, i + MAX_PIECE_UNITS));
  return pieces;
}

function loadO200k(): CountTokens {
  const { countTokens }: typeof import('gpt-tokenizer/encoding/o200k_base') = require('gpt-tokenizer/encoding/o200k_base');
  return countTokens;
}

function loadCl100k(): CountTokens {
  const { countTokens }: typeof import('gpt-tokenizer/encoding/cl100k_base') = require('gpt-tokenizer/encoding/cl100k_base');
  return countTokens;
}
