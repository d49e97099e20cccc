import { useEffect, useId, useState } from 'preact/hooks';
import type { ParticipantRole } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { PARTICIPANT_ROLES } from '../../state/chat_people';
import { readNames } from './people_api';
import { toHandle } from './people_rows';
import { peopleTexts } from './people_texts';
import type { PeopleActions } from './use_people_actions';

interface AddPersonProps {
  controller: ChatController;
  /** Handles of those who take part already. */
  known: readonly string[];
  actions: PeopleActions;
}

/** Gives another person a part in the chat. The browser offers the people of the tenant while the name is written. */
export function AddPerson({ controller: { store }, known, actions }: AddPersonProps) {
  const texts = peopleTexts[useLocale()];
  const id = useId();
  const names = useStore(store, ({ peopleNames }) => peopleNames);
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<ParticipantRole>('driver');
  useEffect(() => void readNames(store), [store]);
  const add = async () => {
    if (person.trim() === '') return;
    // The account may be newer than the names on this page.
    await readNames(store);
    if (await actions.put(toHandle(person, store.get().peopleNames), role)) setPerson('');
  };
  return (
    <form
      class="add-person"
      onSubmit={event => {
        event.preventDefault();
        void add();
      }}
    >
      <label for={id}>{texts.addTitle}</label>
      <input
        id={id}
        type="text"
        list={`${id}-people`}
        value={person}
        maxLength={200}
        autocomplete="off"
        placeholder={texts.person}
        data-testid="add-person"
        onInput={event => setPerson(event.currentTarget.value)}
      />
      <datalist id={`${id}-people`}>
        {Object.entries(names)
          .filter(([handle]) => !known.includes(handle))
          .map(([handle, name]) => (
            <option key={handle} value={`${name} (${handle})`} />
          ))}
      </datalist>
      <select
        value={role}
        aria-label={texts.partOfNew}
        data-testid="add-part"
        onChange={event => setRole(event.currentTarget.value as ParticipantRole)}
      >
        {PARTICIPANT_ROLES.map(value => (
          <option key={value} value={value}>
            {texts.parts[value]}
          </option>
        ))}
      </select>
      <button type="submit" class="button primary" disabled={actions.isBusy} data-testid="add-submit">
        {texts.add}
      </button>
      <p class="field-hint">{texts.does(texts.parts[role], texts.may[role])}</p>
    </form>
  );
}
