/** Settings of the times of a model call. models.yaml may set other times for one model. */
import { integer } from './setting_types';

const DAY_MS = 86_400_000;

const time = (ms: number, en: string, zh: string) =>
  integer({ minimum: 100, maximum: DAY_MS, default: ms }, { section: 'model', en: `milliseconds ${en}`, zh: `${zh}，单位为毫秒` });

export const MODEL_TIMES = {
  NETA_MODEL_CONNECT_MS: time(
    10_000,
    'for a connection to a model server: name lookup, proxy, TCP and TLS',
    '连接模型服务的时限：域名解析、代理、TCP 和 TLS',
  ),
  NETA_MODEL_FIRST_BYTE_MS: time(
    300_000,
    'until a model server begins its answer; a server that loads its model first, or reads a long prompt on a CPU, takes minutes. It is not asked again when the time is over',
    '模型服务开始回答的时限；先加载模型或在 CPU 上读长提示的服务需要几分钟。超时后不会再次请求',
  ),
  NETA_MODEL_IDLE_MS: time(120_000, 'without anything new in an answer that has begun', '回答开始后没有新内容的时限'),
  NETA_MODEL_TOTAL_MS: time(1_200_000, 'for a model call with its retries', '一次模型调用（含重试）的时限'),
};

/** Milliseconds. */
export const toModelTimes = (values: Record<keyof typeof MODEL_TIMES, number>) => ({
  connectMs: values.NETA_MODEL_CONNECT_MS,
  firstByteMs: values.NETA_MODEL_FIRST_BYTE_MS,
  idleMs: values.NETA_MODEL_IDLE_MS,
  totalMs: values.NETA_MODEL_TOTAL_MS,
});
