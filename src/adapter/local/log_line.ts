/** The two forms of a log line: JSON for programs, and one that people read on a terminal. */
import type { LogContext, LogLevel } from '../../port/logger';
import { toPlainText } from '../../utils/plain_text';

export interface LogEntry {
  /** ISO, UTC. */
  time: string;
  level: LogLevel;
  msg: string;
  context: LogContext;
  /** With its stack. */
  error?: string;
  text?: string;
  /** Lines that were left out before this one. */
  leftOut?: number;
}

export const toJsonLine = ({ context, error, text, leftOut, ...head }: LogEntry): string =>
  JSON.stringify({ ...head, ...context, leftOut, text, error });

/** The time is local, and what it holds from elsewhere cannot move the cursor. */
export function toTextLine({ time, level, msg, context, error, text, leftOut }: LogEntry): string {
  const { durMs, ...facts } = context;
  const words = [
    ...Object.entries({ ...facts, leftOut }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
    ...(durMs === undefined ? [] : [`${(durMs / 1_000).toFixed(1)} s`]),
  ];
  const head = [new Date(time).toLocaleTimeString('en-GB'), level.padEnd(5), text === undefined ? msg : `${msg}: ${text}`, ...words];
  return toPlainText([head.join('  '), ...(error === undefined ? [] : [error])].join('\n'));
}
