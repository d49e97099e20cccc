import { formatCount } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../parts/data_table';
import { formatShare } from '../parts/format_figures';
import { toolsTexts } from './tools_texts';

/** How often each level of the patch engine found the place. */
export function PatchLevels({ levels }: { levels: Readonly<Record<string, number>> }) {
  const locale = useLocale();
  const texts = toolsTexts[locale];
  const rows = Object.entries(levels)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  const columns: Column<[string, number]>[] = [
    { key: 'level', head: texts.level, isName: true, cell: ([name]) => name },
    {
      key: 'patches',
      head: texts.patches,
      isNumber: true,
      why: 'memory',
      cell: ([, count]) => (
        <>
          {formatCount(count, locale)} ({formatShare(count / total, locale)})
          <span class="meter" aria-hidden="true">
            <i style={{ width: `${(100 * count) / total}%` }} />
          </span>
        </>
      ),
    },
  ];
  return (
    <section aria-labelledby="patch-heading">
      <h2 id="patch-heading">{texts.patch}</h2>
      <DataTable label={texts.patch} columns={columns} rows={rows} keyOf={([name]) => name} empty={texts.noPatches} testId="patch-levels" />
    </section>
  );
}
