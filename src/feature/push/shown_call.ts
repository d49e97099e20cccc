/** Says in one line which call waits for approval, and whether a person may allow the call from that line alone. */
import type { ApprovalSubject } from '../../port/store/questions';
import { clipStart } from '../../utils/clip_text';
import { findInvisible } from '../../utils/invisible_text';

/** Notifications show about three lines of a phone. */
export const MAX_LINE_UNITS = 160;

/** The line holds the whole call, and the call cannot destroy anything or send anything out. */
export interface ShownCall {
  line: string;
  canBeAllowed: boolean;
}

/** Pure. `redact`: removes known secrets from a text. */
export function showCall({ label, args, risk, taint }: ApprovalSubject, redact: (text: string) => string): ShownCall {
  const whole = `${label}: ${wholeArguments(args)}`;
  const line = redact(whole.replaceAll(/\s+/g, ' ').trim());
  const isWhole = line === whole && line.length <= MAX_LINE_UNITS && findInvisible(line) === undefined;
  const isHarmless = (risk === 'read' || risk === 'change') && taint === undefined;
  return { line: toLine(line), canBeAllowed: isWhole && isHarmless };
}

/** Returns the text as one line that fits. */
export function toLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_LINE_UNITS ? line : `${clipStart(line, MAX_LINE_UNITS - 1)}…`;
}

/** Returns a command that is the only argument, or else all arguments as JSON. */
function wholeArguments(args: unknown): string {
  const fields = typeof args === 'object' && args !== null ? Object.entries(args) : [];
  const [name, value] = fields[0] ?? [];
  return fields.length === 1 && name === 'command' && typeof value === 'string' ? value : JSON.stringify(args);
}
