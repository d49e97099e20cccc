/** The drawing of a chart by uPlot, which loads with the first chart. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';

export interface PlotProps {
  /** Seconds since 1970, ascending. */
  x: readonly number[];
  series: readonly { name: string; values: readonly number[] }[];
  /** A value in words. */
  format: (value: number) => string;
  /** A point of the x axis in words. */
  xText: (x: number) => string;
  /** Name of the x axis. */
  xName: string;
}

const HEIGHT = 180;
/** A line of more points shows no marks. */
const MAX_POINTS = 40;
/** Tokens of the line colours, in the order of the series. */
const STROKES = ['--accent', '--attention', '--good', '--bad'];
/** Dashes tell the lines apart without colour. */
const DASHES: readonly number[][] = [[], [6, 4], [2, 3], [8, 3, 2, 3]];

export function Plot(props: PlotProps) {
  const { x, series } = props;
  const element = useRef<HTMLDivElement>(null);
  const data = JSON.stringify([x, series, props.xName]);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const draw = () => new uPlot(optionsOf(current, props), [x, ...series.map(({ values }) => values)] as uPlot.AlignedData, current);
    let plot = draw();
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    const watch = new ResizeObserver(() => current.clientWidth > 0 && plot.setSize({ width: current.clientWidth, height: HEIGHT }));
    watch.observe(current);
    // The colours of the theme are values on the canvas.
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      theme.disconnect();
      system.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [data]);
  return <div ref={element} class="plot" aria-hidden="true" />;
}

function optionsOf(element: HTMLElement, { x, series, format, xText, xName }: PlotProps): uPlot.Options {
  const axis = {
    stroke: colourOf('--ink-faint', element),
    grid: { stroke: colourOf('--line', element), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth || 600,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, space: 80, values: (_, splits) => splits.map(xText) },
      { ...axis, size: (_, values) => axisWidth(values), values: (_, splits) => splits.map(format) },
    ],
    series: [
      { label: xName, value: (_, at: number | null) => (at === null ? '–' : xText(at)) },
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: colourOf(STROKES[index % STROKES.length] ?? '--accent', element),
        dash: DASHES[index % DASHES.length] ?? [],
        width: 2,
        points: { show: x.length <= MAX_POINTS, size: 5 },
        value: (_: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  };
}

/** The longest text of the left axis decides its width, in pixels. */
const axisWidth = (texts: readonly string[] | null): number => 16 + 7 * Math.max(4, ...(texts ?? []).map(({ length }) => length));

/** Returns the value of a colour token in the theme that is shown. The browser resolves light-dark() only in a colour property. */
function colourOf(token: string, element: HTMLElement): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
