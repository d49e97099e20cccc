const WIDTH = 120;
const HEIGHT = 28;

/** The course of a number, without axes. The number beside it is the present value. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(...values, 0);
  const toX = (index: number) => (index / Math.max(1, values.length - 1)) * WIDTH;
  const toY = (value: number) => HEIGHT - 2 - (highest === 0 ? 0 : (value / highest) * (HEIGHT - 4));
  const points = values.map((value, index) => `${toX(index).toFixed(1)},${toY(value).toFixed(1)}`).join(' ');
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <polyline points={points} />
    </svg>
  );
}
