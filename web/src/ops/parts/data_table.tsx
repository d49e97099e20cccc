import type { ComponentChildren } from 'preact';
import { useLocale } from '../../i18n/language_context';
import type { OpsTexts } from '../shared/ops_texts';
import { useOpsTexts } from '../shared/ops_words';
import { OpsLink, type OpsPlace } from './ops_link';

interface ColumnBase<T> {
  key: string;
  /** Empty for the column with the buttons of a row. */
  head: string;
  cell: (row: T) => ComponentChildren;
  /** The cell names the row. */
  isName?: boolean;
}

/** A number leads to the list of the things that it counts, or the table says why it leads nowhere. */
type Figure<T> = { isNumber: true } & ({ to: (row: T) => OpsPlace | undefined } | { why: keyof OpsTexts['whyNoList'] });

export type Column<T> = ColumnBase<T> & ({ isNumber?: false } | Figure<T>);

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
    <>
      <table class="ops-table" {...ROLES.table} aria-label={label} data-testid={testId}>
        <thead {...ROLES.rowgroup}>
          <tr {...ROLES.row}>
            {columns.map(column => (
              <th key={column.key} {...ROLES.columnheader} scope="col" class={column.isNumber ? 'number' : undefined}>
                {column.head || <span class="visually-hidden">{texts.actions}</span>}
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
      <FigureNotes columns={columns} />
    </>
  );
}

/** Says why some numbers lead to no list. */
function FigureNotes<T>({ columns }: { columns: readonly Column<T>[] }) {
  const { whyNoList, listed } = useOpsTexts();
  const locale = useLocale();
  const reasons = Map.groupBy(
    columns.flatMap(column => ('why' in column ? [column] : [])),
    ({ why }) => why,
  );
  if (reasons.size === 0) return null;
  return (
    <p class="field-note figure-notes">
      {[...reasons].map(([why, heads]) => (
        <span key={why} data-why={why}>
          {whyNoList[why](heads.map(({ head }) => head).join(listed))}
          {locale === 'en' && ' '}
        </span>
      ))}
    </p>
  );
}

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const { head, isName } = column;
  const className = column.isNumber ? 'number' : undefined;
  const place = 'to' in column ? column.to(row) : undefined;
  const content = place ? (
    <OpsLink {...place} class="figure-link">
      {column.cell(row)}
    </OpsLink>
  ) : (
    column.cell(row)
  );
  if (isName) {
    return (
      <th {...ROLES.rowheader} scope="row" class={className} data-head={head}>
        {content}
      </th>
    );
  }
  return (
    <td {...ROLES.cell} class={className} data-head={head} data-why={'why' in column ? column.why : undefined}>
      {content}
    </td>
  );
}
