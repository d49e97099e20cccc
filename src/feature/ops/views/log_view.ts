/** The log of this process for operators, filtered. */
import type { Clock } from '../../../port/clock';
import { LOG_LEVELS, type LogLevel, type LogLine, type LogTail } from '../../../port/logger';

export interface LogFilter {
  /** Only lines of this level or a more serious one. */
  level?: LogLevel;
  run?: string;
  /** A part of the line, upper or lower case. */
  q?: string;
}

export class LogView {
  constructor(private readonly deps: { logTail: LogTail; clock: Clock }) {}

  /** The oldest line comes first. */
  read(filter: LogFilter): { at: string; data: LogLine[] } {
    const { logTail, clock } = this.deps;
    return { at: new Date(clock.now()).toISOString(), data: logTail.recent().filter(line => passes(line, filter)) };
  }

  /** Calls back with each new line that passes, until the returned function is called. */
  watch(filter: LogFilter, onLine: (line: LogLine) => void): () => void {
    return this.deps.logTail.watch(line => {
      if (passes(line, filter)) onLine(line);
    });
  }
}

function passes(line: LogLine, { level, run, q }: LogFilter): boolean {
  if (level !== undefined && LOG_LEVELS.indexOf(line.level) > LOG_LEVELS.indexOf(level)) return false;
  if (run !== undefined && line.runId !== run) return false;
  return q === undefined || JSON.stringify(line).toLowerCase().includes(q.toLowerCase());
}
