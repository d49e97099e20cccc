import { useEffect } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import type { SearchFilter } from './search_requests';
import { searchTexts } from './search_texts';

interface SearchFiltersProps {
  controller: ChatController;
  filter: SearchFilter;
  onChange: (filter: SearchFilter) => void;
}

/** Narrows the search by agent, project, time and archive. */
export function SearchFilters({ controller, filter, onChange }: SearchFiltersProps) {
  const texts = searchTexts[useLocale()];
  const agents = useStore(controller.store, state => state.agents);
  const projects = useStore(controller.store, state => state.projects);
  useEffect(() => void controller.loadAgents(), [controller]);
  const change = (name: keyof SearchFilter) => (value: string) => onChange({ ...filter, [name]: value || undefined });
  const archive = (['false', 'true'] as const).map(value => ({ value, text: texts.archive[value] }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need its own frame and legend
    <div class="search-filters" role="group" aria-label={texts.filters} data-testid="search-filters">
      <Choice
        label={texts.agent}
        testId="filter-agent"
        value={filter.agent}
        options={(agents ?? []).map(({ name, label }) => ({ value: name, text: label || name }))}
        onChange={change('agent')}
      />
      <Choice
        label={texts.project}
        testId="filter-project"
        value={filter.project}
        options={projects.map(({ name }) => ({ value: name, text: name }))}
        onChange={change('project')}
      />
      <Choice label={texts.archived} testId="filter-archived" value={filter.archived} options={archive} onChange={change('archived')} />
      <Day label={texts.from} testId="filter-from" value={filter.from} onChange={change('from')} />
      <Day label={texts.to} testId="filter-to" value={filter.to} onChange={change('to')} />
    </div>
  );
}

interface FieldProps {
  label: string;
  testId: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

function Choice({ label, testId, value, options, onChange }: FieldProps & { options: readonly { value: string; text: string }[] }) {
  const texts = searchTexts[useLocale()];
  return (
    <label>
      {label}
      <select class="quiet-select" value={value ?? ''} data-testid={testId} onChange={event => onChange(event.currentTarget.value)}>
        <option value="">{texts.all}</option>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Day({ label, testId, value, onChange }: FieldProps) {
  return (
    <label>
      {label}
      <input type="date" value={value ?? ''} data-testid={testId} onChange={event => onChange(event.currentTarget.value)} />
    </label>
  );
}
