import { useId, useRef } from 'preact/hooks';
import { useOps, usePlace } from '../shared/ops_controller';
import { useOpsTexts } from '../shared/ops_words';

interface Option {
  value: string;
  text: string;
}

interface FilterSelectProps {
  /** Name of the filter in the address. */
  name: string;
  label: string;
  options: readonly Option[];
  /** Text of the first option, which has no value; else "all". */
  first?: string;
}

/** Options for the values that rows have. */
export const optionsOf = (values: readonly string[]): Option[] => [...new Set(values)].sort().map(value => ({ value, text: value }));

/** A filter that the address keeps. Its first option is "all". */
export function FilterSelect({ name, label, options, first }: FilterSelectProps) {
  const texts = useOpsTexts();
  const ops = useOps();
  const value = usePlace().query[name] ?? '';
  const id = useId();
  const shown = useSeenOptions(options);
  const known = shown.some(option => option.value === value);
  return (
    <span class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} data-testid={`filter-${name}`} onChange={event => ops.setQuery({ [name]: event.currentTarget.value })}>
        <option value="">{first ?? texts.all}</option>
        {!known && value !== '' && <option value={value}>{value}</option>}
        {shown.map(option => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Returns the given options and the earlier ones: a list that is filtered has only rows of the chosen option, and another one may be chosen next. */
function useSeenOptions(options: readonly Option[]): readonly Option[] {
  const seen = useRef(new Map<string, string>());
  for (const { value, text } of options) seen.current.set(value, text);
  if (seen.current.size === options.length) return options;
  return [...seen.current].map(([value, text]) => ({ value, text })).sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Removes all filters of the screen; nothing while there are none. */
export function ResetFilters({ names }: { names: readonly string[] }) {
  const texts = useOpsTexts();
  const ops = useOps();
  const { query } = usePlace();
  if (!names.some(name => query[name])) return null;
  return (
    <button
      type="button"
      class="link-button"
      data-testid="reset-filters"
      onClick={() => ops.setQuery(Object.fromEntries(names.map(name => [name, ''])))}
    >
      {texts.reset}
    </button>
  );
}
