/** Tables as CSV (RFC 4180), safe to open in a spreadsheet. */

export type CsvCell = string | number | undefined;

/** Matches a text that a spreadsheet would read as a formula; an apostrophe in front makes it a text (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/** Returns a header line and one line for each row, in UTF-8 with CRLF. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map(row => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(cell: CsvCell): string {
  if (cell === undefined) return '';
  // A number is written as it is, because a negative number is no formula.
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
