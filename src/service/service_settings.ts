/** What doors and services need to know of the settings. */
import type { LogError } from '../port/logger';
import type { Locale } from '../port/store/sessions';

export interface ServiceSettings {
  version: string;
  defaultLocale: Locale;
  clarify: { timeoutMs: number; declaredTimeoutMs: number; textTimeoutMs: number };
  onError: LogError;
}
