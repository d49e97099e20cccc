import { useEffect, useId } from 'preact/hooks';
import { type Store, useStore } from '../../platform/store';
import type { NameState } from './member_names';
import { readNames } from './people_names';
import './people_controls.css';

interface PersonFieldProps {
  store: Store<NameState>;
  label: string;
  /** Shows how a name is written. */
  placeholder: string;
  value: string;
  /** Handles that the field does not offer. */
  known: readonly string[];
  testId: string;
  onInput: (value: string) => void;
}

/** Takes the name of a person. The browser offers the people of the tenant while the name is written. */
export function PersonField({ store, label, placeholder, value, known, testId, onInput }: PersonFieldProps) {
  const id = useId();
  const names = useStore(store, ({ peopleNames }) => peopleNames);
  useEffect(() => void readNames(store), [store]);
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        class="people-control"
        type="text"
        list={`${id}-people`}
        value={value}
        maxLength={200}
        autocomplete="off"
        placeholder={placeholder}
        data-testid={testId}
        onInput={event => onInput(event.currentTarget.value)}
      />
      <datalist id={`${id}-people`}>
        {Object.entries(names)
          .filter(([handle]) => !known.includes(handle))
          .map(([handle, name]) => (
            <option key={handle} value={`${name} (${handle})`} />
          ))}
      </datalist>
    </>
  );
}
