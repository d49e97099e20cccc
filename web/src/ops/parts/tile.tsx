import type { ComponentChildren } from 'preact';
import { OpsLink } from './ops_link';
import { Sparkline } from './sparkline';

interface TileProps {
  name: string;
  label: string;
  value: ComponentChildren;
  /** A second, quieter line. */
  note?: ComponentChildren;
  /** The list of what the number counts. */
  to: { screen: string; query?: Record<string, string>; item?: string };
  tone?: 'warn' | 'bad' | undefined;
  /** Recent values, oldest first. */
  trend?: readonly number[] | undefined;
}

/** One number that leads to the list of the things that it counts. */
export function Tile({ name, label, value, note, to, tone, trend }: TileProps) {
  return (
    <OpsLink {...to} class={tone ? `tile ${tone}` : 'tile'} testId={`tile-${name}`}>
      <span class="tile-label">{label}</span>
      <span class="tile-value">{value}</span>
      {note !== undefined && <span class="tile-note">{note}</span>}
      {trend && trend.length > 1 && <Sparkline values={trend} />}
    </OpsLink>
  );
}
