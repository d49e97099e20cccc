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

/** A row of buttons, of which one is pressed. The address keeps the choice. */
export function PickOne({ name, label, picks, value, resets = [] }: PickOneProps) {
  const ops = useOps();
  const emptied = Object.fromEntries(resets.map(each => [each, '']));
  return (
    <fieldset class="pick-one">
      <legend class="visually-hidden">{label}</legend>
      {picks.map(pick => (
        <button
          key={pick.value}
          type="button"
          aria-pressed={pick.value === value}
          data-testid={`pick-${name}-${pick.value}`}
          onClick={() => ops.setQuery({ ...emptied, [name]: pick.value })}
        >
          {pick.text}
        </button>
      ))}
    </fieldset>
  );
}
