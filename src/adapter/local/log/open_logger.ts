import type { Logger } from '../../../port/logger';
import { type LogFileEvents, type LogFileOptions, openLogFile } from './log_file';
import { createLogger, type LoggerOptions } from './logger';

/** Opens the log of the gateway. */
export function openLogger(
  { file, ...form }: Pick<LoggerOptions, 'format' | 'level' | 'timeZone'> & { file?: LogFileOptions },
  redact: (text: string) => string,
): Logger {
  if (!file) return createLogger({ ...form, redact });
  const events: LogFileEvents = {
    onProblem: sentence => logger.error(sentence, 'The lines go to stderr alone.'),
    onRecovery: sentence => logger.event('warn', sentence, {}),
  };
  const logger: Logger = createLogger({ ...form, redact, file: openLogFile(file, events) });
  return logger;
}
