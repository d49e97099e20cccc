import { useId } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { FilterSelect, optionsOf, ResetFilters } from '../parts/filters';
import { SavedViews } from '../parts/saved_views';
import { SearchText } from '../parts/search_text';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import { AUDIT_FILTERS, type AuditEntry } from './audit_api';
import { auditTexts } from './audit_texts';

/** Characters of a search. */
const MAX_QUERY = 200;

/** Searches words, and filters by the values in the shown entries, and by time. */
export function AuditFilters({ rows, onSave }: { rows: readonly AuditEntry[]; onSave: () => void }) {
  const texts = auditTexts[useLocale()];
  const seesAll = useScope('operator');
  return (
    <div class="toolbar">
      <div class="grow">
        <SearchText label={texts.search} maxLength={MAX_QUERY} testId="audit-search" />
      </div>
      <FilterSelect name="actor" label={texts.who} options={optionsOf(rows.map(({ actor }) => actor))} />
      <FilterSelect name="action" label={texts.action} options={optionsOf(rows.map(({ action }) => action))} />
      {seesAll && <FilterSelect name="tenant" label={texts.tenant} options={optionsOf(rows.map(({ tenant }) => tenant))} />}
      <DayField name="from" label={texts.from} />
      <DayField name="to" label={texts.to} />
      <ResetFilters names={AUDIT_FILTERS} />
      <SavedViews />
      <button type="button" class="button" data-testid="save-audit" onClick={onSave}>
        {texts.download}
      </button>
    </div>
  );
}

/** A day in UTC. */
function DayField({ name, label }: { name: 'from' | 'to'; label: string }) {
  const ops = useOps();
  const value = useOpsQuery(name);
  const id = useId();
  return (
    <span class="filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={value}
        data-testid={`filter-${name}`}
        onChange={event => ops.setQuery({ [name]: event.currentTarget.value })}
      />
    </span>
  );
}
