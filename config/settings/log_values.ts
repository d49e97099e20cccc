/** The values of the settings of logs and traces, in the units that the gateway works in. */
import { resolve } from 'node:path';
import type { SettingValues } from './settings_schema';

export interface LogSettings {
  format: 'json' | 'text';
  timeZone: string;
  level: SettingValues['NETA_LOG_LEVEL'];
  /** The log file. Absent: only stderr gets the lines. */
  file?: { path: string; maxMiB: number; maxFiles: number };
}

export interface OtlpSettings {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  ratio: number;
  everyMs: number;
  hasContents: boolean;
}

/** Returns the form of the lines on stderr. Reads the environment itself, because a start that fails may have no valid settings. */
export function logFormat({ NETA_LOG: chosen = '', NODE_ENV }: NodeJS.ProcessEnv): LogSettings['format'] {
  const isForPeople = NODE_ENV !== 'production' && process.stderr.isTTY === true;
  return chosen.trim() === 'text' || (chosen.trim() !== 'json' && isForPeople) ? 'text' : 'json';
}

export function toLog(values: SettingValues, { dataDir, env }: { dataDir: string; env: NodeJS.ProcessEnv }): Omit<LogSettings, 'timeZone'> {
  const { NETA_LOG_LEVEL: level, NETA_LOG_FILE: file } = values;
  return {
    format: logFormat(env),
    level,
    file: file ? { path: resolve(dataDir, file), maxMiB: values.NETA_LOG_FILE_MB, maxFiles: values.NETA_LOG_FILES } : undefined,
  };
}

/** Headers are pairs as in a baggage: names and values with percent encoding. */
export function toOtlp(values: SettingValues): { otlp?: OtlpSettings } {
  const { NETA_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: written = '' } = values;
  if (!endpoint) return {};
  const pairs = written.split(',').flatMap(pair => (pair.includes('=') ? [pair.split(/=(.*)/s, 2).map(part => decoded(part.trim()))] : []));
  return {
    otlp: {
      endpoint,
      headers: Object.fromEntries(pairs),
      serviceName: values.OTEL_SERVICE_NAME,
      ratio: Number(values.OTEL_TRACES_SAMPLER_ARG),
      everyMs: values.OTEL_BSP_SCHEDULE_DELAY,
      hasContents: values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT === 'true',
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
