/** Reads single calls that are written in tags or between tokens. Each reader returns undefined when the text at `at` is anything else. */
import { readJson } from './json_span';
import { matchAt, skipSpaces } from './match_at';
import { toWrittenCalls, type WrittenCall } from './written_call';

export interface ReadCalls {
  calls: WrittenCall[];
  end: number;
}

const FUNCTION = /<function=([\w.:-]{1,80})>\s*/y;
const PARAMETER = /\s*<parameter=([^<>\n]{1,200})>/y;
const INVOKE = /<(｜DSML｜)?invoke name="([^"<>\n]{1,80})">\s*/y;
const NAMED_PARAMETER = /\s*<(?:｜DSML｜)?parameter name="([^"<>\n]{1,200})"(?:\s+string="(true|false)")?>/y;
const ARGUMENT_NAME = /([\w.:-]{1,80})\s*(?=<arg_key>|<\/tool_call>)/y;
const ARGUMENT_KEY = /\s*<arg_key>([^<>]{1,200})<\/arg_key>\s*<arg_value>/y;
const CALL_BEGIN = /<(?:｜tool▁call▁begin｜|\|tool▁call▁begin\||\|tool_call_begin\|)>\s*/y;
const CALL_SEPARATOR = /(?:function)?<(?:｜tool▁sep｜|\|tool▁sep\||\|tool_sep\|)>\s*/y;
const TOKEN_NAME = /([\w.:-]{1,80})\s*/y;
const ARGUMENT_BEGIN = /(?:<(?:｜tool▁sep｜|\|tool▁sep\||\|tool_sep\|)>|<\|tool_call_argument_begin\|>)?\s*(```(?:json)?\s*)?/y;
const CALL_END = /\s*(?:```)?\s*(?:<(?:｜tool▁call▁end｜|\|tool▁call▁end\||\|tool_call_end\|)>)?/y;
const CHANNEL =
  /(?:<\|start\|>assistant)?<\|channel\|>commentary to=([\w.-]{1,80})\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*<\|message\|>\s*/y;
const NAMED_JSON = /([\w.:-]{1,80})\s*(?:\[CALL_ID\][\w-]{1,80})?(?:\[ARGS\])?\s*(?=\{)/y;
const STAR_NAME = /✿FUNCTION✿:\s*([\w.:-]{1,80})\s*✿ARGS✿:\s*/y;

/** `<function=name>{...}</function>`, and with `<parameter=key>value</parameter>` inside. */
export function readFunctionTag(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(FUNCTION, text, at);
  if (!head) return undefined;
  const name = head[1] ?? '';
  const inner = at + head[0].length;
  if (text.charAt(inner) === '{') {
    const json = readNamedJson(name, text, inner);
    const end = json && endOf(text, json.end, '</function>');
    return json && end !== undefined ? { calls: json.calls, end } : undefined;
  }
  const tags = readTexts(text, inner, { tag: PARAMETER, close: '</parameter>' });
  const end = tags && endOf(text, tags.end, '</function>');
  return tags && end !== undefined ? { calls: [{ name, args: { texts: tags.texts } }], end } : undefined;
}

/** `<invoke name="name"><parameter name="key">value</parameter></invoke>`. */
export function readInvoke(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(INVOKE, text, at);
  if (!head) return undefined;
  const prefix = head[1] ?? '';
  const tags = readTexts(text, at + head[0].length, { tag: NAMED_PARAMETER, close: `</${prefix}parameter>` });
  const end = tags && endOf(text, tags.end, `</${prefix}invoke>`);
  return tags && end !== undefined ? { calls: [{ name: head[2] ?? '', args: { texts: tags.texts } }], end } : undefined;
}

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>` up to `</tool_call>`. */
export function readArgumentPairs(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(ARGUMENT_NAME, text, at);
  const tags = head && readTexts(text, at + head[0].length, { tag: ARGUMENT_KEY, close: '</arg_value>' });
  if (!head || !tags) return undefined;
  return { calls: [{ name: head[1] ?? '', args: { texts: tags.texts } }], end: tags.end };
}

/** The tokens of DeepSeek and Kimi around one call. */
export function readTokenCall(text: string, at: number): ReadCalls | undefined {
  const begin = matchAt(CALL_BEGIN, text, at);
  if (!begin) return undefined;
  let i = at + begin[0].length;
  i += matchAt(CALL_SEPARATOR, text, i)?.[0].length ?? 0;
  const name = matchAt(TOKEN_NAME, text, i);
  if (!name) return undefined;
  i += name[0].length;
  i += matchAt(ARGUMENT_BEGIN, text, i)?.[0].length ?? 0;
  const json = readNamedJson(name[1] ?? '', text, i);
  return json && { calls: json.calls, end: json.end + (matchAt(CALL_END, text, json.end)?.[0].length ?? 0) };
}

/** The channel of gpt-oss for calls. */
export function readChannelCall(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(CHANNEL, text, at);
  return head ? readNamedJson(head[1] ?? '', text, at + head[0].length) : undefined;
}

/** Mistral's `name{...}` and `name[ARGS]{...}`. */
export function readNameAndJson(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(NAMED_JSON, text, at);
  return head ? readNamedJson(head[1] ?? '', text, at + head[0].length) : undefined;
}

/** The lines `✿FUNCTION✿: name` and `✿ARGS✿: {...}` of older Qwen agents. */
export function readStarCall(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(STAR_NAME, text, at);
  return head ? readNamedJson(head[1] ?? '', text, at + head[0].length) : undefined;
}

/** JSON that states calls. */
export function readJsonCalls(text: string, at: number, options: { mayLackArguments: boolean }): ReadCalls | undefined {
  const json = readJson(text, at);
  const calls = json && toWrittenCalls(json.value, options);
  return json && calls && { calls: json.isRepaired ? calls.map(toRepaired) : calls, end: json.end };
}

const toRepaired = (call: WrittenCall): WrittenCall => ({ ...call, isRepaired: true });

/** The JSON of the arguments of `name`. */
export function readNamedJson(name: string, text: string, at: number): ReadCalls | undefined {
  const json = readJson(text, at);
  const calls = json && toWrittenCalls({ name, arguments: json.value }, { mayLackArguments: false });
  return json && calls && { calls: json.isRepaired ? calls.map(toRepaired) : calls, end: json.end };
}

/** Reads texts with their names, each up to `close`. A name that comes twice is a mistake. */
function readTexts(
  text: string,
  at: number,
  { tag, close }: { tag: RegExp; close: string },
): { texts: ReadonlyMap<string, string>; end: number } | undefined {
  const texts = new Map<string, string>();
  let i = at;
  for (let head = matchAt(tag, text, i); head; head = matchAt(tag, text, i)) {
    const start = i + head[0].length;
    const end = text.indexOf(close, start);
    const name = (head[1] ?? '').trim();
    if (end === -1 || texts.has(name)) return undefined;
    texts.set(name, text.slice(start, end));
    i = end + close.length;
  }
  return { texts, end: i };
}

/** Returns the index behind `close`, which only white space may precede. */
function endOf(text: string, at: number, close: string): number | undefined {
  const i = skipSpaces(text, at);
  return text.startsWith(close, i) ? i + close.length : undefined;
}
