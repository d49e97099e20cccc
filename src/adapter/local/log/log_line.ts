/** The two forms of a log line: JSON for programs, and one that people read on a terminal. */
import type { LogContext, LogLevel } from '../../../port/logger';
import { toPlainText } from '../../../utils/plain_text';

export interface LogEntry {
  /** ISO, UTC. */
  time: string;
  level: LogLevel;
  msg: string;
  context: LogContext;
  /** The text of the error and its stack. */
  error?: string;
  text?: string;
  /** Number of lines that were left out before this line. */
  leftOut?: number;
}

export const toJsonLine = ({ context, error, text, leftOut, ...head }: LogEntry): string =>
  JSON.stringify({ ...head, ...context, leftOut, text, error });

/** A value that a model or a caller chose, such as the name of a tool, must not begin a line of its own. */
const oneLine = (value: unknown): string => String(value).replaceAll(/\s+/g, ' ');

/** Writes a line for people. The time is in `timeZone`; text from elsewhere in the line cannot move the cursor. */
export function toTextLine({ time, level, msg, context, error, text, leftOut }: LogEntry, timeZone: string): string {
  const { durMs, ...facts } = context;
  const words = [
    ...Object.entries({ ...facts, leftOut }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${oneLine(value)}`])),
    ...(durMs === undefined ? [] : [`${(durMs / 1_000).toFixed(1)} s`]),
  ];
  const head = [
    new Date(time).toLocaleTimeString('en-GB', { timeZone }),
    level.padEnd(5),
    text === undefined ? msg : `${msg}: ${text}`,
    ...words,
  ];
  return toPlainText([head.join('  '), ...(error === undefined ? [] : [error])].join('\n'));
}
