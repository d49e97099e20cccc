/** Recognises that a model server refuses a request because of the definition of a tool, and which tools it names. */
import type { WireTool } from '../../port/llm';
import type { ServerError } from './error_shapes';

const NAMED: readonly RegExp[] = [
  /(?:schema|parameters|definition|description|name)\b[^.'"`]{0,40}\bfor (?:the )?(?:function|tool) ?['"`]?([\w-]{1,64})/gi,
  /\b(?:function|tool) ['"`]([\w-]{1,64})['"`]/gi,
  /\btool ([\w-]{1,64})\b[^.]{0,40}\b(?:schema|parameters|definition)/gi,
];
/** Gemini counts all functions as parts of its first tool. */
const DECLARED = /\bfunction_?declarations\[(\d{1,4})\]/gi;
const PLACED = /\b(?:tools|functions)[.[](\d{1,4})(?!\d)/gi;
const ABOUT_TOOLS =
  /invalid_function_parameters|invalid schema for (?:function|tool)|tools?\b.{0,80}\b(?:schema|parameters|definition|description|declaration)|(?:function|input)_?(?:declarations?|schema)/i;

/** The server complains about a call, a conversation or a model; the definitions of the tools are good. */
const ABOUT_CALLS =
  /tool_use_failed|tool call validation|did not match|must be followed|tool_call_id|(?:not|n't) support\w* (?:tool|function)|too many (?:tools|functions)/i;

/** True when codes, words or the named field say that a tool's definition is the reason. */
export const namesTool = (error: ServerError): boolean => {
  const { kind, words, param } = error;
  return /invalid_function_parameters/.test(kind) || /^(?:tools|functions)[.[]/.test(param) || (isAboutTools(error) && hasPlace(words));
};

/** True when the words speak of the definition of tools, with or without the name of a tool. */
export const isAboutTools = ({ kind, words }: ServerError): boolean => ABOUT_TOOLS.test(words) && !ABOUT_CALLS.test(`${kind} ${words}`);

const hasPlace = (words: string): boolean => [...NAMED, DECLARED, PLACED].some(pattern => words.match(pattern) !== null);

/** Returns the names of the tools that the error names by name or by place; empty when it names none of those that were offered. */
export function refusedTools({ words, param }: ServerError, tools: readonly WireTool[]): string[] {
  const known = new Set(tools.map(({ function: { name } }) => name));
  const named = NAMED.flatMap(pattern => [...words.matchAll(pattern)].map(match => match[1] ?? '')).filter(name => known.has(name));
  if (named.length > 0) return [...new Set(named)];
  const text = `${param} ${words}`;
  const declared = [...text.matchAll(DECLARED)];
  const places = declared.length > 0 ? declared : [...text.matchAll(PLACED)];
  return [...new Set(places.flatMap(match => tools[Number(match[1])]?.function.name ?? []))];
}
