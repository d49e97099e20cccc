/** The settings that doors and services need. */
import type { LogError, LogEvent } from '../port/logger';
import type { Locale } from '../port/store/sessions';

export interface ServiceSettings {
  version: string;
  defaultLocale: Locale;
  /** The time zone of jobs that name none. */
  timeZone: string;
  /** Links to chats may need no login. */
  publicShares: boolean;
  /** The model that turns recordings into text. Absent: there is none. */
  transcription?: { provider: string; model: string };
  clarify: { timeoutMs: number; declaredTimeoutMs: number; textTimeoutMs: number };
  onError: LogError;
  onEvent: LogEvent;
}
