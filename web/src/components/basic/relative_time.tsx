import { formatExact, formatRelative } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';

/** Shows how long ago a time was; its title has the exact time. */
export function RelativeTime({ iso }: { iso: string }) {
  const locale = useLocale();
  return (
    <time dateTime={iso} title={formatExact(iso, locale)}>
      {formatRelative(iso, new Date(), locale)}
    </time>
  );
}
