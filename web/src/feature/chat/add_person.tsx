import { useState } from 'preact/hooks';
import type { ParticipantRole } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { PersonForm } from '../../components/people/person_form';
import { useLocale } from '../../i18n/language_context';
import { PARTICIPANT_ROLES } from '../../state/chat_people';
import { peopleTexts } from './people_texts';
import type { PeopleActions } from './use_people_actions';

interface AddPersonProps {
  controller: ChatController;
  /** Handles of those who take part already. */
  known: readonly string[];
  actions: PeopleActions;
}

/** Gives another person a part in the chat. */
export function AddPerson({ controller: { store }, known, actions }: AddPersonProps) {
  const texts = peopleTexts[useLocale()];
  const [role, setRole] = useState<ParticipantRole>('driver');
  return (
    <PersonForm
      class="add-person"
      store={store}
      label={texts.addTitle}
      placeholder={texts.person}
      known={known}
      testId="add-person"
      onAdd={handle => actions.put(handle, role)}
    >
      <select
        class="people-control"
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
    </PersonForm>
  );
}
