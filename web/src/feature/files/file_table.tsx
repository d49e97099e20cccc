import papa from 'papaparse';
import { useLocale } from '../../i18n/language_context';
import { fileTexts } from './file_texts';

/** Rows that are shown of a large table. */
const MAX_ROWS = 500;

/** Shows comma- or tab-separated values as a table; the first row is its head. */
export function FileTable({ text }: { text: string }) {
  const texts = fileTexts[useLocale()];
  const [head = [], ...rows] = papa.parse<string[]>(text, { skipEmptyLines: true }).data;
  return (
    <>
      {rows.length > MAX_ROWS && <p class="field-hint">{texts.shownRows(MAX_ROWS, rows.length)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div class="table-scroll markdown" tabIndex={0}>
        <table data-testid="file-table">
          <thead>
            <tr>
              {head.map((cell, i) => (
                <th key={`${i} ${cell}`} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, y) => (
              <tr key={`${y} ${row[0]}`}>
                {row.map((cell, x) => (
                  <td key={`${x} ${cell}`}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
