import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { type Store, useStore } from '../../platform/store';
import type { NameState } from './member_names';
import { findHandle, readNames } from './people_names';
import './people_controls.css';

interface PersonFormProps {
  class: string;
  store: Store<NameState>;
  label: string;
  /** Shows how a name is written. */
  placeholder: string;
  /** Handles that the field does not offer. */
  known: readonly string[];
  testId: string;
  /** Gets the handle of the person. Resolves with true when the person is added; the field is then empty again. */
  onAdd: (handle: string) => Promise<boolean>;
  /** What stands behind the field: the button at least. */
  children: ComponentChildren;
}

/** Takes the name of a person. The browser offers the people of the tenant while the name is written. */
export function PersonForm({ class: className, store, label, placeholder, known, testId, onAdd, children }: PersonFormProps) {
  const id = useId();
  const [person, setPerson] = useState('');
  const names = useStore(store, ({ peopleNames }) => peopleNames);
  useEffect(() => void readNames(store), [store]);
  const add = async () => {
    if (person.trim() !== '' && (await onAdd(await findHandle(store, person)))) setPerson('');
  };
  return (
    <form
      class={className}
      onSubmit={event => {
        event.preventDefault();
        void add();
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        class="people-control"
        type="text"
        list={`${id}-people`}
        value={person}
        maxLength={200}
        autocomplete="off"
        placeholder={placeholder}
        data-testid={testId}
        onInput={event => setPerson(event.currentTarget.value)}
      />
      <datalist id={`${id}-people`}>
        {Object.entries(names)
          .filter(([handle]) => !known.includes(handle))
          .map(([handle, name]) => (
            <option key={handle} value={`${name} (${handle})`} />
          ))}
      </datalist>
      {children}
    </form>
  );
}
