import type { TargetedEvent } from 'preact';
import { useLocale } from '../../i18n/language_context';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import './column_choice.css';
import type { Column } from './data_table';
import { savedTexts } from './saved_texts';

/** Name of the chosen columns in the address; an address without it shows the usual ones. */
const NAME = 'columns';

interface Choosable {
  key: string;
  text: string;
  /** The column is shown unless a person chooses otherwise. */
  isUsual: boolean;
}

/** Returns the keys of the columns that the address shows. */
export function useShownColumns(columns: readonly Choosable[]): ReadonlySet<string> {
  const asked = useOpsQuery(NAME);
  if (asked === '') return new Set(columns.filter(({ isUsual }) => isUsual).map(({ key }) => key));
  const keys = asked.split(',');
  return new Set(columns.map(({ key }) => key).filter(key => keys.includes(key)));
}

/** Leaves out the columns that can be chosen and are not. */
export function chosen<T>(all: readonly Column<T>[], choosable: readonly Choosable[], shown: ReadonlySet<string>): readonly Column<T>[] {
  return all.filter(({ key }) => shown.has(key) || !choosable.some(each => each.key === key));
}

/** A menu of boxes, one for each column that can be shown or left out. The address keeps the choice. */
export function ColumnChoice({ columns }: { columns: readonly Choosable[] }) {
  const texts = savedTexts[useLocale()];
  const ops = useOps();
  const shown = useShownColumns(columns);
  const show = (key: string, isShown: boolean) => {
    const keys = columns.filter(column => (column.key === key ? isShown : shown.has(column.key)));
    const isUsual = columns.every(column => column.isUsual === keys.includes(column));
    ops.setQuery({ [NAME]: isUsual ? '' : keys.map(column => column.key).join(',') || 'none' });
  };
  return (
    <details class="column-choice" data-testid="columns" onFocusOut={closeWhenLeft} onKeyDown={closeOnEscape}>
      <summary>{texts.columns}</summary>
      <fieldset>
        <legend class="visually-hidden">{texts.columns}</legend>
        {columns.map(({ key, text }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={shown.has(key)}
              data-testid={`column-${key}`}
              onChange={event => show(key, event.currentTarget.checked)}
            />
            {text}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function closeWhenLeft({ currentTarget, relatedTarget }: TargetedEvent<HTMLDetailsElement, FocusEvent>): void {
  // A press on a label leaves the focus nowhere for a moment.
  if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function closeOnEscape({ key, currentTarget }: TargetedEvent<HTMLDetailsElement, KeyboardEvent>): void {
  if (key !== 'Escape' || !currentTarget.open) return;
  currentTarget.open = false;
  currentTarget.querySelector('summary')?.focus();
}
