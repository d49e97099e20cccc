import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { Chart } from '../parts/chart';
import { formatTime } from '../parts/format_figures';
import { overviewTexts } from './overview_texts';
import type { TrafficMinute } from './overview_types';

/** Runs and their times in the last hour. */
export function TrafficCharts({ minutes }: { minutes: readonly TrafficMinute[] }) {
  const locale = useLocale();
  const texts = overviewTexts[locale];
  const runs = { screen: 'runs', query: { since: minutes[0]?.at } };
  const x = minutes.map(({ at }) => Date.parse(at) / 1000);
  const xText = (second: number) => formatTime(second * 1000, locale);
  return (
    <div class="charts">
      <Chart
        to={runs}
        title={texts.runsChart}
        x={x}
        xText={xText}
        format={String}
        series={[
          { name: texts.ended, values: minutes.map(({ runs }) => runs) },
          { name: texts.failed, values: minutes.map(({ failed }) => failed) },
        ]}
      />
      <Chart
        to={runs}
        title={texts.latencyChart}
        x={x}
        xText={xText}
        format={formatDuration}
        series={[
          { name: texts.run, values: minutes.map(({ runP95Ms }) => runP95Ms ?? 0) },
          { name: texts.firstToken, values: minutes.map(({ firstTokenP95Ms }) => firstTokenP95Ms ?? 0) },
        ]}
      />
    </div>
  );
}
