import type { Logger } from '../../../port/logger';
import { type LogFileEvents, type LogFileOptions, openLogFile } from './log_file';
import { createLogger, type LoggerOptions } from './logger';

/** Opens the log of the gateway. A reader of its output may go away, and the gateway works on. */
export function openLogger(
  { file, ...form }: Pick<LoggerOptions, 'format' | 'level' | 'timeZone'> & { file?: LogFileOptions },
  redact: (text: string) => string,
): Logger {
  // A write to a closed pipe fails later, as an error of the stream. Without a listener it would be uncaught, logged to the same pipe, and so on.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  if (!file) return createLogger({ ...form, redact });
  const events: LogFileEvents = {
    onProblem: sentence => logger.error(sentence, 'The lines go to stderr alone.'),
    onRecovery: sentence => logger.event('warn', sentence, {}),
  };
  const logger: Logger = createLogger({ ...form, redact, file: openLogFile(file, events) });
  return logger;
}
