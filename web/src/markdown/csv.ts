/** Writes the rows of a table as CSV (RFC 4180). */

/** A spreadsheet runs a cell that begins with one of these; a number may. */
const RUNS = /^[=+@\t\r-]/;
const NUMBER = /^[-+]?[\d.,]+%?$/;

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => row.map(toCell).join(',')).join('\r\n');
}

function toCell(text: string): string {
  const safe = RUNS.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
