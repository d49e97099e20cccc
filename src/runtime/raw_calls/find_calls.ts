/** Finds the tool calls that a model wrote into an answer. Pure and O(n): the whole answer is read once, when it is complete. */

import { THOUGHT_ENDS } from '../../utils/thought_tags';
import { createCallHeads, HEAD_START, type HeadKind, type IsKnown, MARKERS } from './call_heads';
import { matchAt, skipSpaces } from './match_at';
import { readBareCalls, readMarker } from './read_marker';
import { type ReadCalls, readNamedJson } from './tag_calls';
import { TextPosition } from './text_position';
import type { WrittenCall } from './written_call';

/** A part of the answer that holds calls, or that looks like a call and cannot be read: then `calls` is empty. */
export interface CallSpan {
  kind: HeadKind;
  start: number;
  end: number;
  calls: readonly WrittenCall[];
}

/** Broken markers after which the search ends: reading each takes time that grows with the rest of the answer. */
const MAX_BROKEN = 8;
const BLOCK_START = /```[ \t]*\w*[ \t\r]*\n\s*/y;
const BLOCK_END = /\n[ \t]*```+[ \t\r]*(?=\n|$)/g;
const ACTION = /Action:\s*([\w.:-]{1,80})[ \t\r]*\n\s*Action Input:\s*/y;
const ACTION_BLOCK = /Action:\s*(?=```)/y;
/** A model that goes on with this line imagines the result of its call. */
const OBSERVATION = /Observation/y;

/** Returns the spans in order. Calls in quotations, code, thoughts and imagined results are left out. */
export function findCalls(text: string, isKnown: IsKnown): CallSpan[] {
  const heads = createCallHeads(isKnown);
  const position = new TextPosition();
  let spans: CallSpan[] = [];
  let read = 0;
  let broken = 0;
  const starts = new RegExp(HEAD_START);
  for (let found = starts.exec(text); found && broken < MAX_BROKEN; found = starts.exec(text)) {
    const at = found.index;
    position.read(text, read, at);
    read = position.readCodeBlock(text, at);
    if (read > at) starts.lastIndex = read;
    if (read > at || !position.isPlain(text.charAt(at))) continue;
    // Text before an end tag without a begin tag is a thought, not a part of the answer: the server has left out the begin tag.
    if (THOUGHT_ENDS.some(end => text.startsWith(end, at))) spans = [];
    const head = heads.headAt(text, at, position.isLineStart);
    // A marker at the very end that stands alone on its line is a call that the model did not finish.
    const span = head === 'none' || (head === 'open' && !position.isLineStart) ? undefined : readSpan(text, at, head);
    if (!span) continue;
    spans.push(span);
    if (span.calls.length === 0) broken += 1;
    if (span.kind === 'block' || span.calls.length === 0) continue;
    if (span.kind === 'action' && matchAt(OBSERVATION, text, span.end)) break;
    position.skipCall(text.charAt(span.end - 1) === '\n');
    read = span.end;
    starts.lastIndex = span.end;
  }
  return withoutEarlyBlocks(text, spans);
}

/** Returns undefined for a part of the answer that is ordinary text. */
function readSpan(text: string, at: number, kind: HeadKind | 'open'): CallSpan | undefined {
  const span = (read: ReadCalls | undefined, end = at + 1): CallSpan => ({
    kind: kind === 'open' ? 'marker' : kind,
    start: at,
    end: read?.end ?? end,
    calls: read?.calls ?? [],
  });
  switch (kind) {
    case 'open':
      return MARKERS.some(marker => text.startsWith(marker, at)) ? span(undefined, text.length) : undefined;
    case 'marker':
      return span(readMarker(text, at));
    case 'block':
      return span(readBlock(text, at));
    case 'action':
      return readAction(text, at, span);
    case 'bare': {
      const read = readBareCalls(text, at);
      // JSON in the middle of an answer is part of the answer's text.
      return read && read.end < text.length ? undefined : span(read, text.length);
    }
  }
}

/** Reads a fenced code block; it holds calls when its whole content is calls. The last line may be missing at the end of the answer. */
function readBlock(text: string, at: number): ReadCalls | undefined {
  const head = matchAt(BLOCK_START, text, at);
  if (!head) return undefined;
  const start = at + head[0].length;
  BLOCK_END.lastIndex = start - 1;
  const close = BLOCK_END.exec(text);
  const content = text.slice(start, close?.index ?? text.length);
  const isMarked = content.startsWith('<') || content.startsWith('[TOOL_CALLS]');
  const read = isMarked ? readMarkers(content) : readBareCalls(content, 0);
  const end = close ? skipSpaces(text, close.index + close[0].length) : text.length;
  return { calls: read?.end === content.length ? read.calls : [], end };
}

function readMarkers(text: string): ReadCalls | undefined {
  const calls: WrittenCall[] = [];
  let end = 0;
  while (end < text.length) {
    const read = readMarker(text, end);
    if (!read) return undefined;
    calls.push(...read.calls);
    end = read.end;
  }
  return { calls, end };
}

function readAction(text: string, at: number, span: (read: ReadCalls | undefined) => CallSpan): CallSpan | undefined {
  const block = matchAt(ACTION_BLOCK, text, at);
  if (block) {
    const read = readBlock(text, at + block[0].length);
    return read && read.end < text.length ? undefined : span(read);
  }
  const head = matchAt(ACTION, text, at);
  const read = head ? readNamedJson(head[1] ?? '', text, at + head[0].length) : undefined;
  return span(read && { calls: read.calls, end: skipSpaces(text, read.end) });
}

/**
 * Leaves out code blocks and bare JSON that do not end the answer. When there are further blocks with text in between, the answer explains something,
 * and the last blocks hold no calls either.
 */
function withoutEarlyBlocks(text: string, spans: readonly CallSpan[]): CallSpan[] {
  const isBlock = ({ kind }: CallSpan): boolean => kind === 'block' || kind === 'bare';
  let first = spans.length;
  for (let end = text.length; first > 0; first--) {
    const span = spans[first - 1];
    if (!span || !isBlock(span) || span.end !== end) break;
    end = span.start;
  }
  const hasEarly = spans.slice(0, first).some(isBlock);
  const last = spans.slice(first).map(span => (hasEarly ? { ...span, calls: [] } : span));
  return [...spans.slice(0, first).filter(span => !isBlock(span)), ...last];
}
