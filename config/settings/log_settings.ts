/** Settings of logs and traces. */
import { httpAddress, integer, oneOf, secret, text, textOr } from './setting_types';

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
  NETA_OTLP_ENDPOINT: httpAddress('NETA_OTLP_ENDPOINT', 'http://127.0.0.1:4318', {
    section: 'logs',
    en: 'base address of a receiver of [traces](docs/guides/traces-and-logs.md#traces) over OTLP/HTTP, without `/v1/traces`; left out: no traces',
    zh: '通过 OTLP/HTTP 接收[链路追踪](docs/guides/traces-and-logs.zh-CN.md#链路追踪)的地址，不含 `/v1/traces`；省略时不发送',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: secret({
    section: 'logs',
    en: 'headers for the receiver of traces, such as `authorization=Bearer%20abc,x-team=ops`',
    zh: '发给链路追踪接收方的请求头，例如 `authorization=Bearer%20abc,x-team=ops`',
  }),
  OTEL_SERVICE_NAME: textOr('neta-gateway', { section: 'logs', en: 'name of this gateway in traces', zh: '此网关在链路追踪中的名称' }),
  OTEL_TRACES_SAMPLER_ARG: textOr(
    '1',
    {
      section: 'logs',
      en: 'share of the traces that are kept, 0 to 1; a caller that sends `traceparent` decides itself',
      zh: '保留的链路比例，0 到 1；发送 `traceparent` 的调用方自己决定',
    },
    { format: 'share', refusal: 'OTEL_TRACES_SAMPLER_ARG={value} must be a number from 0 to 1.' },
  ),
  OTEL_BSP_SCHEDULE_DELAY: integer(
    { minimum: 10, maximum: 60_000, default: 2_000 },
    { section: 'logs', en: 'milliseconds after which waiting spans are sent', zh: '等待中的 span 隔多少毫秒发送一次' },
  ),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: oneOf(['false', 'true'], {
    section: 'logs',
    en: '`true`: traces hold what people, models and tools wrote, without known secrets',
    zh: '`true`：链路追踪包含人、模型和工具写的内容，已去除认得的密钥',
  }),
};
