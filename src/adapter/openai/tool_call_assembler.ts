import { type Dialect, OWN_CALL_IDS } from '../../port/dialects';
import { type ServerCallData, UNNAMED_CALL, type WireToolCall } from '../../port/llm';
import { toWellFormedJson } from '../../utils/well_formed';
import { isRecord } from './json_value';
import { type KeptFields, keepCallFields } from './kept_fields';
import { tooLarge } from './model_errors';
import type { ModelLimits } from './model_limits';

interface PendingCall {
  id: string;
  name: string;
  args: string;
  argBytes: number;
  /** Fields that the server wants back. */
  kept?: KeptFields | undefined;
}

/** One fragment of a call; fields that the server sent in another form are empty. */
interface CallFragment {
  index?: unknown;
  id: string;
  name: string;
  args: string;
}

/** Index of the one call of the old `function_call` format; no real index is negative. */
const LEGACY_INDEX = -1;

const MAX_NAME_UNITS = 64;

/**
 * Assembles streamed tool calls. Servers differ: id and name come once, again with every fragment, in pieces or not at all; several calls
 * share index 0; a call comes whole. A call without a name becomes UNNAMED_CALL, so that the model gets an error result. Throws
 * `model_too_large`.
 */
export class ToolCallAssembler {
  private readonly calls: PendingCall[] = [];
  /** The call that a fragment with this index continues. */
  private readonly byIndex = new Map<number, PendingCall>();
  private last: PendingCall | undefined;
  private allArgBytes = 0;

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
    if (!Array.isArray(fragments)) return false;
    let hasGrown = false;
    for (const fragment of fragments) {
      if (!isRecord(fragment)) continue;
      const known = toFragment(fragment['function'], fragment['id'], fragment['index']);
      const call = this.addFragment(known);
      call.kept = keepCallFields(call.kept, fragment, this.wanted);
      hasGrown ||= known.name !== '' || known.args !== '';
    }
    return hasGrown;
  }

  /** Adds `function_call` of the old format. Returns true when a name or arguments were in it. */
  addLegacy(fragment: unknown): boolean {
    if (!isRecord(fragment)) return false;
    const known = toFragment(fragment, undefined, undefined);
    this.addFragment({ ...known, index: LEGACY_INDEX });
    return known.name !== '' || known.args !== '';
  }

  /**
   * Returns the calls in the order they began, with unique ids. Some servers pad ordinary answers with a call that has no id, name or
   * arguments; it is left out unless the server announced calls as the reason to stop (`isAnnounced`). `data`: what the server wants back with
   * each call.
   */
  finish(createCallId: () => string, isAnnounced: boolean): { calls: WireToolCall[]; data: ServerCallData[] } {
    const taken = new Set<string>();
    const finished: WireToolCall[] = [];
    const data: ServerCallData[] = [];
    for (const { id, name, args, kept } of this.calls) {
      if (!isAnnounced && id === '' && name === '' && args === '') continue;
      const isOdd = id !== '' && !OWN_CALL_IDS.test(id);
      data.push({ ...(isOdd && !taken.has(id) && { id }), ...(kept && { fields: Object.fromEntries(kept) }) });
      const callId = id !== '' && !isOdd && !taken.has(id) ? id : createCallId();
      taken.add(id).add(callId);
      finished.push({
        id: callId,
        type: 'function',
        function: { name: toWireName(name) || UNNAMED_CALL, arguments: args.trim() === '' ? '{}' : toWellFormedJson(args) },
      });
    }
    return { calls: finished, data };
  }

  private addFragment(fragment: CallFragment): PendingCall {
    const call = this.findCall(fragment);
    if (fragment.id !== '' && call.id !== fragment.id && canStillGrow(call, fragment)) call.id += fragment.id;
    // The same name again is a repetition; a different one before the arguments is the next piece of the name.
    const isNamePiece = call.name === '' || (call.args === '' && fragment.name !== call.name);
    if (isNamePiece && call.name.length <= MAX_NAME_UNITS) call.name += fragment.name;
    if (fragment.args !== '') {
      const bytes = Buffer.byteLength(fragment.args);
      call.argBytes += bytes;
      this.allArgBytes += bytes;
      if (call.argBytes > this.limits.maxArgumentBytes) {
        throw tooLarge([
          `the arguments of one tool call have more than ${this.limits.maxArgumentBytes} bytes`,
          `一次工具调用的参数超过 ${this.limits.maxArgumentBytes} 字节`,
        ]);
      }
      const { maxAllArgumentBytes } = this.limits;
      if (this.allArgBytes > maxAllArgumentBytes)
        throw tooLarge([
          `its tool calls have arguments of more than ${maxAllArgumentBytes} bytes`,
          `工具调用的参数合计超过 ${maxAllArgumentBytes} 字节`,
        ]);
      call.args += fragment.args;
    }
    return call;
  }

  private findCall(fragment: CallFragment): PendingCall {
    const index = this.toIndex(fragment.index);
    if (index === undefined) {
      const known = fragment.id === '' ? this.last : this.calls.find(call => call.id === fragment.id);
      return known && !startsAnother(known, fragment) ? known : this.begin();
    }
    const known = this.byIndex.get(index);
    if (known && !startsAnother(known, fragment)) return known;
    const call = this.begin();
    this.byIndex.set(index, call);
    return call;
  }

  private begin(): PendingCall {
    if (this.calls.length >= this.limits.maxCalls)
      throw tooLarge([`more than ${this.limits.maxCalls} tool calls`, `工具调用超过 ${this.limits.maxCalls} 次`]);
    const call: PendingCall = { id: '', name: '', args: '', argBytes: 0 };
    this.calls.push(call);
    this.last = call;
    return call;
  }

  private toIndex(index: unknown): number | undefined {
    if (index === undefined || index === null) return undefined;
    const value = Number(index);
    if (value === LEGACY_INDEX) return value;
    if (!Number.isInteger(value) || value < 0) return undefined;
    if (value > this.limits.maxCallIndex)
      throw tooLarge([
        `tool call index ${value}, the highest allowed is ${this.limits.maxCallIndex}`,
        `工具调用的序号为 ${value}，最大允许 ${this.limits.maxCallIndex}`,
      ]);
    return value;
  }
}

/** A fragment starts another call when it has a name and another id, or a name and no id although the arguments are already complete. */
function startsAnother(call: PendingCall, fragment: CallFragment): boolean {
  if (call.name === '' || fragment.name === '') return false;
  if (fragment.id !== '' && call.id !== '') return fragment.id !== call.id;
  return fragment.id === '' && isJson(call.args);
}

/** An id may come in pieces, but only before name and arguments; servers make up later ids. */
const canStillGrow = (call: PendingCall, fragment: CallFragment): boolean =>
  call.id === '' || (call.args === '' && call.name === '' && fragment.args === '');

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

/** Servers refuse a history that contains any other name, so one odd name would make every later turn fail. */
const toWireName = (name: string): string => name.slice(0, MAX_NAME_UNITS).replaceAll(/[^A-Za-z0-9_-]/g, '_');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
