import { useOps } from '../shared/ops_controller';

export interface Choice {
  value: string;
  text: string;
}

interface PickOneProps {
  /** Name in the address. */
  name: string;
  label: string;
  picks: readonly Choice[];
  value: string;
  /** Names in the address that lose their meaning with another choice. */
  resets?: readonly string[];
}

/** Chooses one of several; the address keeps the choice. */
export function PickOne({ name, label, picks, value, resets = [] }: PickOneProps) {
  const ops = useOps();
  const emptied = Object.fromEntries(resets.map(each => [each, '']));
  return (
    <label class="filter">
      {label}
      <select
        value={value}
        data-testid={`pick-${name}`}
        onChange={event => ops.setQuery({ ...emptied, [name]: event.currentTarget.value })}
      >
        {picks.map(pick => (
          <option key={pick.value} value={pick.value}>
            {pick.text}
          </option>
        ))}
      </select>
    </label>
  );
}
