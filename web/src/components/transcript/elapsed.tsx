import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { useNow } from '../basic/use_now';

const TICK_MS = 1000;

interface ElapsedProps {
  /** ISO-8601 UTC, by the clock of the gateway; absent when it is not known. */
  since: string | undefined;
  clockOffsetMs: number;
}

/** Shows the time since something began, in whole seconds, and counts on. */
export function Elapsed({ since, clockOffsetMs }: ElapsedProps) {
  const locale = useLocale();
  const now = useNow(TICK_MS);
  const start = Date.parse(since ?? '');
  if (Number.isNaN(start)) return null;
  const seconds = Math.max(0, Math.floor((now + clockOffsetMs - start) / 1000));
  return (
    <span role="timer" class="elapsed" data-testid="elapsed">
      {formatDuration(seconds * 1000, locale, 0)}
    </span>
  );
}
