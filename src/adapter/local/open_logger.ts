import type { Logger } from '../../port/logger';
import type { LogFileOptions } from './log_file';
import { createLogger, type LoggerOptions } from './logger';

/** Opens the log of the gateway. The code of the file is loaded only when there is one. */
export function openLogger(
  { file, ...form }: Pick<LoggerOptions, 'format' | 'level'> & { file?: LogFileOptions },
  redact: (text: string) => string,
): Logger {
  if (!file) return createLogger({ ...form, redact });
  const { openLogFile }: typeof import('./log_file') = require('./log_file');
  const onProblem = (sentence: string) => logger.error(sentence, 'The lines go to stderr alone.');
  const logger: Logger = createLogger({ ...form, redact, file: openLogFile(file, onProblem) });
  return logger;
}
