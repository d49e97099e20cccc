import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';

const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The times above the bars, in the columns of a row. Each row says its times in words, so the axis is for the eye alone. */
export function TimeAxis({ width }: { width: number }) {
  const locale = useLocale();
  return (
    <div class="waterfall-item waterfall-axis" aria-hidden="true">
      <div class="waterfall-row">
        <span class="waterfall-track">
          {TICKS.map(share => (
            <span key={share} class="waterfall-tick" style={{ left: `${share * 100}%` }}>
              {share === 0 ? '0' : formatDuration(share * width, locale)}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}
