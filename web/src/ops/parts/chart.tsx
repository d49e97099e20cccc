import { useId } from 'preact/hooks';
import { lazy } from '../../components/basic/lazy';
import { ViewSpinner } from '../../components/basic/view_spinner';
import { useOpsTexts } from '../shared/ops_words';
import { OpsLink, type OpsPlace } from './ops_link';
import type { PlotProps } from './plot';

interface ChartProps extends Omit<PlotProps, 'xName'> {
  /** The list of what the figures count. */
  to: OpsPlace;
  /** The figures that the chart shows, in words. */
  title: string;
}

const Plot = lazy<PlotProps>(async () => {
  ensureValidLanguage();
  return (await import('./plot')).Plot;
}, ViewSpinner);

/** Replaces a browser language that is no language tag, such as en-US@posix: uPlot fails to load with such a language. */
function ensureValidLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: document.documentElement.lang, configurable: true });
  }
}

/** A chart, and the same figures as a table for people who cannot see the chart. */
export function Chart({ title, to, ...plot }: ChartProps) {
  const texts = useOpsTexts();
  const id = useId();
  const { x, series, format, xText } = plot;
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <OpsLink {...to}>{title}</OpsLink>
      </figcaption>
      <div class="chart-plot">
        <Plot {...plot} xName={texts.time} />
      </div>
      <details>
        <summary>{texts.table}</summary>
        <table class="ops-table plain" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {x.map((at, index) => (
              <tr key={at}>
                <th scope="row">{xText(at)}</th>
                {series.map(({ name, values }) => (
                  <td key={name} class="number" data-head={name}>
                    {format(values[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
