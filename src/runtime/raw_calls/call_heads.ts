/**
 * Recognises the beginning of a tool call that a model wrote as text. The formats are those of public chat templates: Hermes and Qwen, Qwen3-Coder,
 * Llama, Mistral, DeepSeek, GLM, Kimi, Command R, gpt-oss, MiniMax, Granite, Phi, InternLM, LFM2, Seed, ReAct.
 */
import { blanks, literal, type Match, oneOf, optional, type Pattern, peek, sequence, spaces, word } from './prefix_match';

/**
 * marker: a token that stands for nothing but a call. block: a fenced code block. bare: JSON or a list of calls without any mark. action: the
 * lines `Action:` and `Action Input:`. A block or bare call begins with the name of a known tool.
 */
export type HeadKind = 'marker' | 'block' | 'bare' | 'action';
export type Head = HeadKind | 'open' | 'none';

/** Tells whether a tool of this run has the name. */
export type IsKnown = (name: string) => boolean;

/** Tokens around calls. Their content is JSON, calls in tags, or calls in the notation of Python. */
const CONTAINERS = [
  '<tool_call>',
  '<tool_calls>',
  '<toolcall>',
  '<TOOLCALL>',
  '<function_call>',
  '<function_calls>',
  '<longcat_tool_call>',
  '<seed:tool_call>',
  '<minimax:tool_call>',
  '<|tool_call|>',
  '<|tool_calls|>',
  '<|tool_call_start|>',
  '<|START_ACTION|>',
  '<|action_start|>',
  '<|python_tag|>',
  '<|python_start|>',
  '[TOOL_CALLS]',
  '<｜DSML｜function_calls>',
  '<｜tool▁calls▁begin｜>',
  '<|tool▁calls▁begin|>',
  '<|tool_calls_begin|>',
  '<|tool_calls_section_begin|>',
] as const;

/** Tokens that begin one call by themselves. */
const CALL_TOKENS = [
  '<｜tool▁call▁begin｜>',
  '<|tool▁call▁begin|>',
  '<|tool_call_begin|>',
  '<|channel|>commentary to=',
  '<|start|>assistant<|channel|>commentary to=',
  '✿FUNCTION✿:',
] as const;

export const MARKERS: readonly string[] = [...CONTAINERS, ...CALL_TOKENS];

/** The first characters of all heads. `{`, `[` and `A` count only where a line starts. */
export const HEAD_START = /[<[{`✿A]/g;

/** The first characters of the heads that may stand in the middle of a line. */
const MIDDLE_START = /^(?:<[\w|｜]?|\[T?|✿)$|^✿F/;

/** A marker, block or list of calls that takes more units before its name, because of white space, is no head. */
const MAX_HEAD_UNITS = 300;
const MAX_NAME_UNITS = 80;

const NAME = /[\w.:-]/;
const anyOf = (words: readonly string[]): Pattern => oneOf(...words.map(literal));
const nameOf = (accepts: IsKnown): Pattern => sequence(peek(/\w/), word(NAME, MAX_NAME_UNITS, accepts));
const anyName = nameOf(() => true);

const invokeTag = sequence(anyOf(['<invoke name="', '<｜DSML｜invoke name="']), anyName, literal('"'));
const functionTag = sequence(literal('<function='), anyName, literal('>'), spaces, anyOf(['{', '<parameter', '</function>']));
/** Not `{...}`, which people write in explanations. */
const jsonStart = oneOf(
  sequence(literal('{'), spaces, anyOf(['"', "'", '}'])),
  sequence(literal('['), spaces, oneOf(anyOf(['{', '[', ']']), sequence(anyName, literal('(')))),
);

function contentOf(isKnown: IsKnown): Pattern {
  const afterName = sequence(anyName, spaces, anyOf(['<arg_key>', '(', '{"', '{}', '[ARGS]', '[CALL_ID]']));
  const bareName = sequence(nameOf(isKnown), spaces, literal('</tool_call>'));
  const inner = oneOf(invokeTag, functionTag, anyOf(CALL_TOKENS), literal('<|plugin|>'), sequence(anyOf(CONTAINERS), spaces, jsonStart));
  return oneOf(jsonStart, inner, afterName, bareName);
}

const NAME_KEYS = ['"name"', '"tool"', '"tool_name"', '"function_name"', '"action"', '"function"'];

const quotedId = sequence(literal('"'), word(/[\w-]/, MAX_NAME_UNITS), literal('"'));

/** The beginning of a call in JSON that names a known tool. */
function namedJson(isKnown: IsKnown): Pattern {
  const namedTool = sequence(literal('"'), nameOf(isKnown), literal('"'));
  const named = sequence(anyOf(NAME_KEYS), spaces, literal(':'), spaces, namedTool);
  const nested = sequence(literal('"function"'), spaces, literal(':'), spaces, literal('{'), spaces, literal('"name"'), spaces);
  const identified = sequence(anyOf(['"id"', '"tool_call_id"']), spaces, literal(':'), spaces, quotedId, spaces, literal(','), spaces);
  const typed = sequence(literal('"type"'), spaces, literal(':'), spaces, literal('"function"'), spaces, literal(','), spaces);
  const call = sequence(optional(identified), optional(typed), oneOf(named, sequence(nested, literal(':'), spaces, namedTool)));
  const calls = sequence(literal('"tool_calls"'), spaces, literal(':'), spaces, literal('['), spaces, literal('{'), spaces, call);
  return sequence(optional(sequence(literal('['), spaces)), literal('{'), spaces, oneOf(call, calls));
}

/** The patterns of one run. */
export interface CallHeads {
  /**
   * Tells what begins at `at`. `open`: the text ended too early to tell. `isLineStart`: only white space stands before it on its line. More text
   * never turns a kind into `none`.
   */
  headAt(text: string, at: number, isLineStart: boolean): Head;
}

const BLOCK_LABEL = ['json', 'tool_calls', 'tool_call', 'tool_code', 'tool', 'function_call', 'function', 'xml'];

export function createCallHeads(isKnown: IsKnown): CallHeads {
  const content = contentOf(isKnown);
  const marker = oneOf(anyOf(CALL_TOKENS), sequence(anyOf(CONTAINERS), spaces, content), functionTag, sequence(invokeTag, literal('>')));
  const pythonCall = sequence(nameOf(isKnown), literal('('));
  const bare = oneOf(namedJson(isKnown), sequence(literal('['), spaces, pythonCall));
  const label = oneOf(...BLOCK_LABEL.map(name => sequence(literal(name), blanks, literal('\n'))), sequence(blanks, literal('\n')));
  const block = sequence(literal('```'), label, spaces, oneOf(bare, marker, pythonCall));
  const input = sequence(blanks, literal('\n'), spaces, literal('Action Input:'));
  const action = sequence(literal('Action:'), spaces, oneOf(block, sequence(nameOf(isKnown), input)));
  const headOf = (text: string, at: number, isLineStart: boolean): Head => {
    const first = text.charAt(at);
    if (first === '<' || first === '✿') return toHead(marker(text, at), 'marker');
    if (first === '[') {
      const match = toHead(marker(text, at), 'marker');
      return match === 'none' && isLineStart ? toHead(bare(text, at), 'bare') : match;
    }
    if (!isLineStart) return 'none';
    if (first === '`') return toHead(block(text, at), 'block');
    return first === 'A' ? toHead(action(text, at), 'action') : toHead(bare(text, at), 'bare');
  };
  return {
    headAt(text, at, isLineStart) {
      if (!isLineStart && !MIDDLE_START.test(text.slice(at, at + 2))) return 'none';
      const window = text.slice(at, at + MAX_HEAD_UNITS);
      const head = headOf(window, 0, isLineStart);
      return head === 'open' && window.length === MAX_HEAD_UNITS ? 'none' : head;
    },
  };
}

const toHead = (match: Match, kind: HeadKind): Head => (typeof match === 'number' ? kind : match);
