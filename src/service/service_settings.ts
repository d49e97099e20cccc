/** What doors and services need to know of the settings. */
import type { Locale } from '../port/store/sessions';

export interface ServiceSettings {
  version: string;
  defaultLocale: Locale;
  clarify: { timeoutMs: number; declaredTimeoutMs: number; textTimeoutMs: number };
  /** Writes to the log; never throws. */
  onError: (message: string, error: unknown) => void;
}
