import type { Logger } from '../../port/logger';
import type { LogFileEvents, LogFileOptions } from './log_file';
import { createLogger, type LoggerOptions } from './logger';

/** Opens the log of the gateway. The code for log files is loaded only when a log file is set. */
export function openLogger(
  { file, ...form }: Pick<LoggerOptions, 'format' | 'level' | 'timeZone'> & { file?: LogFileOptions },
  redact: (text: string) => string,
): Logger {
  if (!file) return createLogger({ ...form, redact });
  const { openLogFile }: typeof import('./log_file') = require('./log_file');
  const events: LogFileEvents = {
    onProblem: sentence => logger.error(sentence, 'The lines go to stderr alone.'),
    onRecovery: sentence => logger.event('warn', sentence, {}),
  };
  const logger: Logger = createLogger({ ...form, redact, file: openLogFile(file, events) });
  return logger;
}
