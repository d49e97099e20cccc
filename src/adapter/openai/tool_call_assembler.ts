import { type Dialect, OWN_CALL_IDS } from '../../port/dialects';
import { type ServerCallData, UNNAMED_CALL, type WireToolCall } from '../../port/llm';
import { toWellFormedJson } from '../../utils/well_formed';
import { isRecord } from './json_value';
import { joinKept, keepCallFields } from './kept_fields';
import { tooLarge } from './model_errors';
import type { ModelLimits } from './model_limits';
import { absorbCall, beginsAnother, type CallFragment, createPendingCall, type PendingCall } from './pending_call';

/** Stream of the one call of the old `function_call` format. */
const LEGACY_STREAM = -1;
/** Stream of fragments before the first index. */
const NO_STREAM = -2;

const MAX_NAME_UNITS = 64;

/**
 * Assembles streamed tool calls. Servers differ: id and name come once, again with every fragment, in pieces or not at all; several calls share an
 * index or have none; arguments come in pieces, whole, behind an empty object, or whole again at the end. A call without a name becomes
 * UNNAMED_CALL, so that the model gets an error result. Throws `model_too_large`.
 */
export class ToolCallAssembler {
  private readonly calls: PendingCall[] = [];
  private last: PendingCall | undefined;

  /** `wanted`: fields of a call that the server wants back. */
  constructor(
    private readonly limits: ModelLimits,
    private readonly wanted: Dialect['callFields'] = [],
  ) {}

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Adds `tool_calls` of a delta or of a whole message. Returns true when a name or arguments were in them. */
  add(fragments: unknown): boolean {
    let hasGrown = false;
    for (const fragment of Array.isArray(fragments) ? fragments : [fragments]) {
      if (!isRecord(fragment)) continue;
      const known = toFragment(fragment['function'] ?? fragment, fragment['id'], fragment['index']);
      const call = this.addFragment(known, this.toStream(known.index));
      call.kept = keepCallFields(call.kept, fragment, this.wanted);
      hasGrown ||= known.name !== '' || known.args !== '';
    }
    return hasGrown;
  }

  /** Adds `function_call` of the old format. Returns true when a name or arguments were in it. */
  addLegacy(fragment: unknown): boolean {
    if (!isRecord(fragment)) return false;
    const known = toFragment(fragment, undefined, undefined);
    this.addFragment(known, LEGACY_STREAM);
    return known.name !== '' || known.args !== '';
  }

  /**
   * Returns the calls in the order they began, with unique ids. Some servers pad ordinary answers with a call that has no id, name or
   * arguments; it is left out unless the server announced calls as the reason to stop (`isAnnounced`). `data`: what the server wants back with
   * each call.
   */
  finish(createCallId: () => string, isAnnounced: boolean): { calls: WireToolCall[]; data: ServerCallData[] } {
    for (const stream of new Set(this.calls.map(call => call.stream))) this.settle(stream);
    const taken = new Set<string>();
    const finished: WireToolCall[] = [];
    const data: ServerCallData[] = [];
    for (const { id, name, args, kept } of this.wholeCalls()) {
      if (!isAnnounced && id === '' && name === '' && args.isEmpty) continue;
      const isOdd = id !== '' && !OWN_CALL_IDS.test(id);
      data.push({ id: isOdd && !taken.has(id) ? id : undefined, fields: kept && Object.fromEntries(kept) });
      const callId = id !== '' && !isOdd && !taken.has(id) ? id : createCallId();
      taken.add(id).add(callId);
      finished.push({
        id: callId,
        type: 'function',
        function: { name: toWireName(name) || UNNAMED_CALL, arguments: args.isEmpty ? '{}' : toWellFormedJson(args.text) },
      });
    }
    return { calls: finished, data };
  }

  /**
   * Leaves out calls that came in the old format too, and joins a part that came under a new index without a name to the unfinished call before it.
   */
  private wholeCalls(): PendingCall[] {
    const isBoth = this.calls.some(({ stream }) => stream !== LEGACY_STREAM);
    const whole: PendingCall[] = [];
    for (const call of this.calls) {
      if (isBoth && call.stream === LEGACY_STREAM) continue;
      const before = whole.at(-1);
      if (call.name === '' && before?.name && !before.args.isWhole) {
        before.args.append(call.args);
        before.kept = joinKept(before.kept, call.kept);
      } else whole.push(call);
    }
    return whole;
  }

  private addFragment(fragment: CallFragment, stream: number | undefined): PendingCall {
    const call = this.findCall(fragment, stream);
    this.last = call;
    if (fragment.id !== '' && call.id !== fragment.id && canStillGrow(call, fragment)) call.id += fragment.id;
    addName(call, fragment);
    if (fragment.args !== '') this.addArguments(call, fragment.args);
    return call;
  }

  private addArguments(call: PendingCall, piece: string): void {
    call.args.add(piece);
    const { maxArgumentBytes, maxAllArgumentBytes } = this.limits;
    if (call.args.bytes > maxArgumentBytes)
      throw tooLarge([
        `the arguments of one tool call have more than ${maxArgumentBytes} bytes`,
        `一次工具调用的参数超过 ${maxArgumentBytes} 字节`,
      ]);
    if (this.calls.length > 1 && this.calls.reduce((bytes, { args }) => bytes + args.bytes, 0) > maxAllArgumentBytes)
      throw tooLarge([
        `its tool calls have arguments of more than ${maxAllArgumentBytes} bytes`,
        `工具调用的参数合计超过 ${maxAllArgumentBytes} 字节`,
      ]);
  }

  /** Returns the call that the fragment continues, or a new one. */
  private findCall(fragment: CallFragment, stream: number | undefined): PendingCall {
    const known = this.findKnown(fragment, stream);
    if (known && !beginsAnother(known, fragment)) return known;
    const call = createPendingCall(stream ?? known?.stream ?? NO_STREAM);
    const before = this.settle(call.stream);
    // A fragment without a name behind a whole call repeats this call, or holds the arguments of the next call, which was named before.
    if (before && known && fragment.name === '') Object.assign(call, { name: before.name, isNamed: before.isNamedAgain });
    return this.begin(call);
  }

  private findKnown({ id, name }: CallFragment, stream: number | undefined): PendingCall | undefined {
    const hasId = (call: PendingCall) => id !== '' && call.id === id;
    if (stream === undefined) return this.calls.findLast(hasId) ?? this.last;
    const isOfStream = (call: PendingCall) => call.stream === stream;
    const known = this.calls.findLast(call => isOfStream(call) && hasId(call)) ?? this.calls.findLast(isOfStream);
    return known ?? (name === '' ? this.calls.findLast(hasId) : undefined);
  }

  private begin(call: PendingCall): PendingCall {
    if (this.calls.length >= this.limits.maxCalls)
      throw tooLarge([`more than ${this.limits.maxCalls} tool calls`, `工具调用超过 ${this.limits.maxCalls} 次`]);
    this.calls.push(call);
    return call;
  }

  /** Joins the last two calls of a stream when they are the same call. Returns the last call. */
  private settle(stream: number): PendingCall | undefined {
    const later = this.calls.findLast(call => call.stream === stream);
    const before = this.calls.findLast(call => call.stream === stream && call !== later);
    if (!later || !before || !absorbCall(before, later)) return later;
    this.calls.splice(this.calls.indexOf(later), 1);
    return before;
  }

  private toStream(index: unknown): number | undefined {
    const value = typeof index === 'string' && /^\d+$/.test(index) ? Number(index) : index;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return undefined;
    if (value > this.limits.maxCallIndex)
      throw tooLarge([
        `tool call index ${value}, the highest allowed is ${this.limits.maxCallIndex}`,
        `工具调用的序号为 ${value}，最大允许 ${this.limits.maxCallIndex}`,
      ]);
    return value;
  }
}

function addName(call: PendingCall, { name, args }: CallFragment): void {
  if (name === '') return;
  if (args === '' && call.args.isWhole) call.isNamedAgain = true;
  // The same name again is a repetition. A different name before the arguments is the next piece of the name, or the name with its next piece.
  const isPiece = call.name === '' || (call.args.isEmpty && name !== call.name);
  if (isPiece && call.name.length <= MAX_NAME_UNITS) call.name = name.startsWith(call.name) ? name : call.name + name;
  call.isNamed = true;
}

/** An id may come in pieces, but only before name and arguments; servers make up later ids. */
const canStillGrow = (call: PendingCall, fragment: CallFragment): boolean =>
  call.id === '' || (call.args.isEmpty && call.name === '' && fragment.args === '');

function toFragment(body: unknown, id: unknown, index: unknown): CallFragment {
  const fields = isRecord(body) ? body : {};
  const { name, arguments: args } = fields;
  return {
    index,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    // Some servers send the arguments as an object instead of its text.
    args: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
  };
}

/** Replaces characters that servers refuse in a name: one odd name in the history would make every later turn fail. */
export const toWireName = (name: string): string => name.slice(0, MAX_NAME_UNITS).replaceAll(/[^A-Za-z0-9_-]/g, '_');
