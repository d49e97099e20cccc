import { useId } from 'preact/hooks';
import type { Visibility } from '../../api/rest_types';
import './people_controls.css';

const VISIBILITIES: readonly Visibility[] = ['private', 'shared', 'tenant'];

interface VisibilitySelectProps {
  label: string;
  value: Visibility;
  names: Readonly<Record<Visibility, string>>;
  isBusy: boolean;
  testId: string;
  onChange: (value: Visibility) => void;
}

/** The owner chooses who sees a chat or a thing. */
export function VisibilitySelect({ label, value, names, isBusy, testId, onChange }: VisibilitySelectProps) {
  const id = useId();
  return (
    <p class="visibility-select">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="people-control"
        value={value}
        disabled={isBusy}
        data-testid={testId}
        onChange={event => onChange(event.currentTarget.value as Visibility)}
      >
        {VISIBILITIES.map(one => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
    </p>
  );
}
