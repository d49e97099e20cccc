import type { ComponentChildren } from 'preact';
import { useOpsTexts } from '../ops_words';

export interface Column<T> {
  key: string;
  /** Empty for the column with the buttons of a row. */
  head: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers stand at the end of the column. */
  isNumber?: boolean;
  /** The cell names the row. */
  isName?: boolean;
}

/** On a phone the cells are blocks, which takes their own roles from them. */
const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

interface DataTableProps<T> {
  /** Name of the table. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** State of a row, for its look and for tests. */
  stateOf?: (row: T) => string | undefined;
  /** Text of a table without rows. */
  empty: ComponentChildren;
  testId: string;
}

/** A table with headers. On a phone each row becomes a card; the roles keep it a table for screen readers there. */
export function DataTable<T>({ label, columns, rows, keyOf, stateOf, empty, testId }: DataTableProps<T>) {
  const texts = useOpsTexts();
  if (rows.length === 0) {
    return (
      <p class="view-empty" data-testid={`${testId}-empty`}>
        {empty}
      </p>
    );
  }
  return (
    <table class="ops-table" {...ROLES.table} aria-label={label} data-testid={testId}>
      <thead {...ROLES.rowgroup}>
        <tr {...ROLES.row}>
          {columns.map(({ key, head, isNumber }) => (
            <th key={key} {...ROLES.columnheader} scope="col" class={isNumber ? 'number' : undefined}>
              {head || <span class="visually-hidden">{texts.actions}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.rowgroup}>
        {rows.map(row => (
          <tr key={keyOf(row)} {...ROLES.row} data-testid={`${testId}-row`} data-key={keyOf(row)} data-state={stateOf?.(row)}>
            {columns.map(column => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<T>({ column: { head, cell, isNumber, isName }, row }: { column: Column<T>; row: T }) {
  const className = isNumber ? 'number' : undefined;
  if (isName) {
    return (
      <th {...ROLES.rowheader} scope="row" class={className} data-head={head}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td {...ROLES.cell} class={className} data-head={head}>
      {cell(row)}
    </td>
  );
}
