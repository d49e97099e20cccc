/** Settings of logs and traces. */
import { integer, oneOf, text } from './setting_types';

export const LOGS = {
  NETA_LOG: oneOf(['auto', 'json', 'text'], {
    section: 'logs',
    en: '`json`: each log line is a JSON object; `text`: lines for people; `auto`: lines for people when stderr is a terminal and `NODE_ENV` is not `production` ([logs](docs/guides/traces-and-logs.md))',
    zh: '`json`：每行日志是一个 JSON 对象；`text`：便于人阅读的行；`auto`：stderr 是终端且 `NODE_ENV` 不是 `production` 时用便于阅读的行（[日志](docs/guides/traces-and-logs.zh-CN.md)）',
  }),
  NETA_LOG_LEVEL: oneOf(['info', 'error', 'warn', 'debug'], {
    section: 'logs',
    en: 'least serious lines that are written: `error`, `warn`, `info` or `debug`',
    zh: '写入日志的最低级别：`error`、`warn`、`info` 或 `debug`',
  }),
  NETA_LOG_FILE: text({
    section: 'logs',
    en: 'a file that gets the lines too, as JSON; a relative path begins in `NETA_DATA_DIR`',
    zh: '同时写入日志（JSON）的文件；相对路径从 `NETA_DATA_DIR` 算起',
  }),
  NETA_LOG_FILE_MB: integer(
    { minimum: 1, maximum: 10_000, default: 10 },
    { section: 'logs', en: 'size in MiB at which the log file is rotated', zh: '日志文件达到多少 MiB 时轮换' },
  ),
  NETA_LOG_FILES: integer(
    { minimum: 1, maximum: 1_000, default: 5 },
    { section: 'logs', en: 'rotated log files that are kept', zh: '保留多少个轮换下来的日志文件' },
  ),
};
