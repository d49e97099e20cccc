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
  /** The same in fewer words, below the axis; else `xText`. */
  tickText?: (x: number) => string;
  /** Name of the x axis. */
  xName: string;
  /** The values of a part stand on each other, and the sum shows. */
  isStacked?: boolean;
  /** Places on the x axis at which something changed. */
  marks?: readonly number[];
  /** Gets the ends of a drag; without it a drag does nothing. */
  onZoom?: (from: number, to: number) => void;
}

/** Charts of this name share one crosshair. */
const SYNC = 'ops';
/** A shorter drag is a click. Pixels. */
const MIN_DRAG = 5;
const HEIGHT = 180;
/** A line of more points shows no marks. */
const MAX_POINTS = 40;
/** Tokens of the line colours, in the order of the series. */
const STROKES = ['--accent', '--attention', '--good', '--bad', '--warn', '--ink-soft', '--line-strong'];
/** Dashes tell the lines apart without colour. */
const DASHES: readonly number[][] = [[], [6, 4], [2, 3], [8, 3, 2, 3]];

export function Plot(props: PlotProps) {
  const { x, series, isStacked } = props;
  const newest = useRef(props);
  newest.current = props;
  const element = useRef<HTMLDivElement>(null);
  const data = JSON.stringify([x, series, props.xName, props.marks]);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const lines = isStacked ? stack(series) : series.map(({ values }) => values);
    const onZoom = (from: number, to: number) => newest.current.onZoom?.(from, to);
    const draw = () => new uPlot(optionsOf(current, { ...props, onZoom }), [x, ...lines] as uPlot.AlignedData, current);
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

/** Adds to each value those of the series behind it: the first line is the sum of all, and later ones are drawn over it. */
function stack(series: PlotProps['series']): number[][] {
  return series.map(({ values }, index) => values.map((_, i) => series.slice(index).reduce((sum, part) => sum + (part.values[i] ?? 0), 0)));
}

/** Zooms to the ends of a drag. */
function selectOf(plot: uPlot, onZoom: PlotProps['onZoom']): void {
  const { left, width } = plot.select;
  if (width < MIN_DRAG) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom?.(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
}

/** Draws a line for each mark. */
function drawMarks({ ctx, bbox, valToPos, scales }: uPlot, marks: readonly number[], colour: string): void {
  const { min = 0, max = 0 } = scales['x'] ?? {};
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([3, 3]);
  for (const mark of marks.filter(each => each >= (min ?? 0) && each <= (max ?? 0))) {
    const place = Math.round(valToPos(mark, 'x', true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(place, bbox.top);
    ctx.lineTo(place, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function optionsOf(element: HTMLElement, props: PlotProps): uPlot.Options {
  const { x, series, format, xText, tickText = xText, xName, isStacked = false, marks = [], onZoom } = props;
  const markColour = colourOf('--ink-faint', element);
  const axis = {
    stroke: colourOf('--ink-faint', element),
    grid: { stroke: colourOf('--line', element), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth || 600,
    height: HEIGHT,
    cursor: { drag: { x: onZoom !== undefined, y: false, setScale: false }, sync: { key: SYNC } },
    hooks: { draw: [plot => drawMarks(plot, marks, markColour)], setSelect: [plot => selectOf(plot, onZoom)] },
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, space: 80, values: (_, splits) => splits.map(tickText) },
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
        fill: isStacked ? colourOf(STROKES[index % STROKES.length] ?? '--accent', element) : undefined,
        // A stacked line has the sum; the legend says the value itself.
        value: (_: uPlot, __: number | null, ___: number, at: number | null) =>
          at === null || at === undefined ? '–' : format(series[index]?.values[at] ?? 0),
      })),
    ],
  };
}

/** The longest text of the left axis decides its width, in pixels. */
const axisWidth = (texts: readonly string[] | null): number => 16 + 7 * Math.max(4, ...(texts ?? []).map(columnsOf));

/** Characters, of which those of Chinese are two wide. */
const columnsOf = (text: string): number => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);

/** Returns the value of a colour token in the theme that is shown. The browser resolves light-dark() only in a colour property. */
function colourOf(token: string, element: HTMLElement): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
