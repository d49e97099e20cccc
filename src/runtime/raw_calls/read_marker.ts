/** Reads the calls behind a marker, and JSON without one. */
import { MARKERS } from './call_heads';
import { matchAt, skipSpaces } from './match_at';
import { readPythonCalls } from './python_call';
import {
  type ReadCalls,
  readArgumentPairs,
  readChannelCall,
  readFunctionTag,
  readInvoke,
  readJsonCalls,
  readNameAndJson,
  readStarCall,
  readTokenCall,
} from './tag_calls';
import type { WrittenCall } from './written_call';

interface ReadOptions {
  /** A name alone is a call. */
  mayLackArguments: boolean;
}

const SEPARATORS = /[\s,;]*/y;
const CLOSERS = new RegExp(
  `(?:\\s*(?:${[
    '</(?:\\w+:)?(?:tool_?calls?|longcat_tool_call|function_calls?|TOOLCALL|function)>',
    '</｜DSML｜function_calls>',
    '<\\|(?:/tool_calls?|tool_call_end|tool_calls_end|tool_calls_section_end|END_ACTION|action_end|python_end)\\|>',
    '<\\|(?:call|eom_id|eot_id|im_end|end)\\|>',
    '<[｜|](?:tool▁calls▁end|end▁of▁sentence)[｜|]>',
    '</s>',
  ].join('|')}))+`,
  'y',
);
/** Tokens inside of containers that say nothing more. */
const FILLERS = /(?:\s*(?:<\|plugin\|>|<tool_call>))+/y;
const ARGUMENT_PAIRS = /[\w.:-]{1,80}\s*<(?:arg_key>|\/tool_call>)/y;

/** Returns the calls behind the marker at `at`; undefined when they cannot be understood. The end includes the white space behind them. */
export function readMarker(text: string, at: number): ReadCalls | undefined {
  const marker = MARKERS.find(found => text.startsWith(found, at) && isContainer(found));
  const first = marker === undefined ? at : skipSpaces(text, at + marker.length);
  const read = readSequence(text, first, { mayLackArguments: true });
  if (!read) return undefined;
  // An end tag may be missing only where nothing else follows.
  const mustClose = marker?.startsWith('<') === true && !marker.startsWith('<|');
  return mustClose && !read.isClosed && read.end < text.length ? undefined : read;
}

/** Returns the calls in standalone JSON or Python notation; undefined for anything else. */
export const readBareCalls = (text: string, at: number): ReadCalls | undefined => readSequence(text, at, { mayLackArguments: false });

/** The markers that are no containers belong to the call itself, and the reader of the call reads them. */
const isContainer = (marker: string): boolean => !/call▁begin|tool_call_begin|channel|FUNCTION/.test(marker);

/** Reads one call after the other, up to the end tags behind them. */
function readSequence(text: string, at: number, options: ReadOptions): (ReadCalls & { isClosed: boolean }) | undefined {
  const calls: WrittenCall[] = [];
  let lastNeedsClose = false;
  let i = skipPattern(FILLERS, text, at);
  for (;;) {
    i = skipPattern(SEPARATORS, text, i);
    const needsClose = matchAt(ARGUMENT_PAIRS, text, i) !== null;
    const read = readOne(text, i, options);
    if (!read) break;
    calls.push(...read.calls);
    lastNeedsClose = needsClose;
    i = read.end;
  }
  const end = skipPattern(CLOSERS, text, i);
  const isClosed = end > i;
  if (calls.length === 0 || (lastNeedsClose && !isClosed)) return undefined;
  return { calls, end: skipSpaces(text, end), isClosed };
}

function readOne(text: string, at: number, options: ReadOptions): ReadCalls | undefined {
  const first = text.charAt(at);
  if (first === '{') return readJsonCalls(text, at, options);
  if (first === '[') return readJsonCalls(text, at, options) ?? readPython(text, at);
  if (first === '✿') return readStarCall(text, at);
  if (first === '<') {
    return readFunctionTag(text, at) ?? readInvoke(text, at) ?? readTokenCall(text, at) ?? readChannelCall(text, at);
  }
  return readArgumentPairs(text, at) ?? readNameAndJson(text, at) ?? readPython(text, at);
}

function readPython(text: string, at: number): ReadCalls | undefined {
  const read = readPythonCalls(text, at);
  return read && { calls: read.value, end: read.end };
}

function skipPattern(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0);
}
