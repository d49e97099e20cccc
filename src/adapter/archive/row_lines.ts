/** Writes the rows of a store as JSON lines, in parts of a few MiB: an object a line, with the columns in the order of their names. */
import { rowsPath, type TableLayout } from './archive_form';
import { isArchivedRow, type Row, type StoreSnapshot } from './store_snapshot';

/** A part is closed when it has this size, so that the memory of a backup stays the same however large the store is. */
const PART_BYTES = 4 * 1024 * 1024;

export interface RowsPart {
  table: string;
  path: string;
  rows: number;
  content: Buffer;
}

/** Yields the rows of all tables. A table without rows has no part. */
export async function* readParts(snapshot: StoreSnapshot): AsyncIterable<RowsPart> {
  for (const table of snapshot.tables) yield* partsOf(snapshot, table);
}

async function* partsOf(snapshot: StoreSnapshot, table: TableLayout): AsyncIterable<RowsPart> {
  let number = 1;
  let lines: string[] = [];
  let size = 0;
  const close = (): RowsPart => {
    const part = { table: table.name, path: rowsPath(table.name, number), rows: lines.length, content: Buffer.from(lines.join('')) };
    number += 1;
    lines = [];
    size = 0;
    return part;
  };
  for await (const rows of snapshot.readRows(table)) {
    for (const row of rows) {
      if (!isArchivedRow(table.name, row)) continue;
      const line = `${toLine(row, table)}\n`;
      lines.push(line);
      size += line.length;
      if (size >= PART_BYTES) yield close();
    }
  }
  if (lines.length > 0) yield close();
}

/** Postgres cannot store U+0000, so the replacement character takes its place, as it does where the gateway writes to Postgres. */
function toLine(row: Row, { columns }: TableLayout): string {
  for (const { name, type } of columns) {
    const value = row[name];
    if (type === 'bytes' && value instanceof Uint8Array)
      row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  const line = JSON.stringify(row);
  return line.includes('\\u0000') ? JSON.stringify(row, withoutNul) : line;
}

const withoutNul = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);
