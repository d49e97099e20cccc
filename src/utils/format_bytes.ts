const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a size for people and models: `0 B`, `999 B`, `1.5 KiB`, `10 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text = unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
  return `${text} ${UNITS[unit]}`;
}
