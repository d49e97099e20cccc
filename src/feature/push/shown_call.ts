/** Says in one line which call waits for approval, and whether a person may allow the call from that line alone. */
import { posix } from 'node:path';
import type { ApprovalSubject } from '../../port/store/questions';
import { callFingerprint } from '../../runtime/approval/approval_policy';
import { clipStart } from '../../utils/clip_text';
import { findInvisible } from '../../utils/invisible_text';

/** Notifications show about three lines of a phone. */
export const MAX_LINE_UNITS = 160;

export interface ShownCall {
  line: string;
  /** The line holds the whole call, and the call cannot destroy anything or send anything out. */
  canBeAllowed: boolean;
}

export interface LineOptions {
  /** Removes known secrets from a text. */
  redact: (text: string) => string;
  /** Absolute path of the workspace. */
  workspacePath: string;
  /** Adds to a line the directory of its command. */
  inDirectory: (line: string, directory: string) => string;
}

/** Pure. A command names its directory, unless this is the workspace itself. */
export function showCall({ label, args, risk, taint, directory }: ApprovalSubject, options: LineOptions): ShownCall {
  const { redact, workspacePath, inDirectory } = options;
  const call = `${label}: ${wholeArguments(args, directory !== undefined)}`;
  const place = directory === undefined ? '' : placeIn(workspacePath, directory);
  const whole = place === '' ? call : inDirectory(call, place);
  const line = redact(whole.replaceAll(/\s+/g, ' ').trim());
  const isWhole = line === whole && line.length <= MAX_LINE_UNITS && findInvisible(line) === undefined;
  const isHarmless = (risk === 'read' || risk === 'change') && taint === undefined;
  return { line: toLine(line), canBeAllowed: isWhole && isHarmless };
}

/** Returns a hash that is equal only for the same call in the same directory. */
export const hashCall = ({ tool, args, directory }: Pick<ApprovalSubject, 'tool' | 'args' | 'directory'>): string =>
  callFingerprint(tool, directory === undefined ? args : { args, directory });

/** Returns the text as one line that fits. */
export function toLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_LINE_UNITS ? line : `${clipStart(line, MAX_LINE_UNITS - 1)}…`;
}

/** Returns a command when everything else is said beside it, or else all arguments as JSON. */
function wholeArguments(args: unknown, saysDirectory: boolean): string {
  const { command, cwd, ...others } = (typeof args === 'object' && args !== null ? args : {}) as Record<string, unknown>;
  const isSaid = typeof command === 'string' && Object.keys(others).length === 0 && (saysDirectory || cwd === undefined);
  return isSaid ? command : JSON.stringify(args);
}

/** Returns the path below the workspace, '' for the workspace itself, and the whole path of a directory elsewhere. */
function placeIn(workspacePath: string, directory: string): string {
  const path = posix.relative(workspacePath, directory);
  return path === '..' || path.startsWith('../') ? directory : path;
}
