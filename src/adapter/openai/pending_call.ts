import { isDeepStrictEqual } from 'node:util';
import { ArgumentText } from './argument_text';
import { isRecord } from './json_value';
import { joinKept, type KeptFields } from './kept_fields';

/** A tool call while its fragments arrive. */
export interface PendingCall {
  /** The stream of fragments to which the call belongs; the calls of one stream follow each other. */
  stream: number;
  id: string;
  name: string;
  /** True when a fragment of the call named it. A call without a name behind a whole call may be the same call again, and takes its name. */
  isNamed: boolean;
  /** The name came again behind the whole call, without arguments. */
  isNamedAgain: boolean;
  args: ArgumentText;
  /** Fields that the server wants back. */
  kept?: KeptFields | undefined;
}

/** One fragment of a call; fields that the server sent in another form are empty. */
export interface CallFragment {
  index?: unknown;
  id: string;
  name: string;
  args: string;
}

export const createPendingCall = (stream: number): PendingCall => ({
  stream,
  id: '',
  name: '',
  isNamed: false,
  isNamedAgain: false,
  args: new ArgumentText(),
});

/** Returns true when the fragment cannot be a part of the call. What it begins may still be the same call again: see `absorbCall`. */
export function beginsAnother({ id, name, args }: PendingCall, fragment: CallFragment): boolean {
  const hasArgs = fragment.args.trim() !== '';
  if (hasArgs && args.isWhole) return true;
  if (name === '' || fragment.name === '') return false;
  const hasOtherId = differ(id, fragment.id);
  const isSameName = fragment.name === name;
  // Before the arguments, another name is the next piece of the name, and another id may be one of a server that makes one for each fragment.
  if (args.isEmpty) return hasOtherId && !(isSameName && hasArgs);
  if (!isSameName) return true;
  return hasOtherId && (!hasArgs || args.isWhole || fragment.args.trimStart().startsWith('{'));
}

/** Adds `later`, which came behind `call`, when both are one call. Returns false when they are two. */
export function absorbCall(call: PendingCall, later: PendingCall): boolean {
  const isOne = absorb(call, later);
  if (isOne) call.kept = joinKept(call.kept, later.kept);
  return isOne;
}

function absorb(call: PendingCall, later: PendingCall): boolean {
  if (differ(call.name, later.name)) return false;
  if (call.args.completeWith(later.args)) return true;
  const { value } = call.args;
  const { value: laterValue } = later.args;
  const isRepeated = call.args.isWhole && isDeepStrictEqual(value, laterValue);
  // Two ids are two calls, also with equal arguments. A call that came in pieces and then whole was repeated under a new id.
  if (later.isNamed && differ(call.id, later.id)) return isRepeated && call.args.pieces > 1 && later.args.pieces === 1;
  if (isRepeated) return true;
  if (call.args.isPlaceholder) return replaceArguments(call, later);
  if (later.isNamed && (later.id === '' || later.id !== call.id)) return false;
  if (later.args.isPlaceholder) {
    call.isNamedAgain ||= later.isNamed;
    return true;
  }
  if (later.args.isWhole && hasGrown(value, laterValue)) return replaceArguments(call, later);
  if (later.isNamed) return false;
  // Arguments in such a form are not understood; the tool runner refuses them.
  call.args.append(later.args);
  return true;
}

function replaceArguments(call: PendingCall, { id, name, args }: PendingCall): true {
  call.id ||= id;
  call.name ||= name;
  call.args = args;
  return true;
}

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;

/** Returns true when `value` is `old` with more in it: further entries, longer texts. */
function hasGrown(old: unknown, value: unknown): boolean {
  if (isRecord(old)) return isRecord(value) && Object.keys(old).every(key => Object.hasOwn(value, key) && hasGrown(old[key], value[key]));
  if (Array.isArray(old)) return Array.isArray(value) && old.every((item, i) => i < value.length && hasGrown(item, value[i]));
  return typeof old === typeof value && String(value).startsWith(String(old));
}
