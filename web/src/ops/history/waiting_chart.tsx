import { useLocale } from '../../i18n/language_context';
import { Chart } from '../parts/chart';
import { HistoryFrame, type HistoryView } from './history_frame';
import { historyTexts } from './history_texts';

/** The longest queue, and the most questions and approvals that waited for a person, in each part of the span. */
export function WaitingChart({ parts, shared }: Pick<HistoryView, 'parts' | 'shared'>) {
  const texts = historyTexts[useLocale()];
  return (
    <Chart
      {...shared}
      to={{ screen: 'people' }}
      title={texts.waiting}
      format={value => (Number.isInteger(value) ? String(value) : '')}
      series={[
        { name: texts.people, values: parts.map(({ waiting }) => waiting) },
        { name: texts.queued, values: parts.map(({ queued }) => queued) },
      ]}
    />
  );
}

/** The chart alone, with its span. */
export function WaitingHistory() {
  return <HistoryFrame>{view => <WaitingChart {...view} />}</HistoryFrame>;
}
