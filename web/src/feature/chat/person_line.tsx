import type { ChatPart, ParticipantRole } from '../../api/rest_types';
import { Icon } from '../../components/basic/icon';
import { nameRole } from '../../components/people/member_names';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale } from '../../i18n/language_context';
import { PARTICIPANT_ROLES } from '../../state/chat_people';
import { Avatar } from './avatar';
import type { PersonRow } from './people_rows';
import { peopleTexts } from './people_texts';
import type { PeopleActions } from './use_people_actions';

interface PersonLineProps {
  row: PersonRow;
  ownPart: ChatPart | undefined;
  mayChange: boolean;
  actions: PeopleActions;
}

/** Shows one person of a chat with the part, and what can be changed about it. */
export function PersonLine({ row, ownPart, mayChange, actions }: PersonLineProps) {
  const locale = useLocale();
  const texts = peopleTexts[locale];
  const { id, name, part, isHere, isTyping } = row;
  const shownName = row.isRole ? nameRole(id, locale) : row.isMe ? texts.you(name) : name;
  const role = PARTICIPANT_ROLES.find(one => one === part);
  return (
    <li data-testid="person-row" data-person={id} data-here={isHere}>
      <span class={isHere ? 'person-face here' : 'person-face'}>
        {row.isRole ? <Icon name="crew" /> : <Avatar handle={id} name={name} />}
      </span>
      <span class="person-name">
        <strong>{shownName}</strong>
        <span class="person-facts">
          {!row.isRole && name !== id && id}
          {isHere && <span data-testid="person-here">{isTyping ? texts.types : texts.here}</span>}
        </span>
      </span>
      <span class="person-actions">
        {role && mayChange ? <PartSelect row={row} name={shownName} role={role} actions={actions} /> : <span>{texts.parts[part]}</span>}
        {role && mayChange && role !== 'driver' && !row.isRole && !row.isMe && (
          <button
            type="button"
            class="link-button"
            disabled={actions.isBusy}
            title={joinSentences(locale, texts.handOverTo(name), ownPart === 'driver' && texts.stepsDown)}
            data-testid="hand-over"
            onClick={() => void actions.handOver(id)}
          >
            {texts.handOver}
          </button>
        )}
        {role && mayChange && !row.isMe && (
          <button
            type="button"
            class="icon-button small"
            disabled={actions.isBusy}
            aria-label={texts.removeName(name)}
            title={texts.removeName(name)}
            data-testid="remove-person"
            onClick={() => void actions.remove(id)}
          >
            <Icon name="close" />
          </button>
        )}
      </span>
    </li>
  );
}

interface PartSelectProps {
  row: PersonRow;
  name: string;
  role: ParticipantRole;
  actions: PeopleActions;
}

function PartSelect({ row, name, role, actions }: PartSelectProps) {
  const texts = peopleTexts[useLocale()];
  return (
    <select
      class="people-control"
      value={role}
      disabled={actions.isBusy}
      aria-label={texts.part(name)}
      title={texts.may[role]}
      data-testid="person-part"
      onChange={event => void actions.put(row.id, event.currentTarget.value as ParticipantRole)}
    >
      {PARTICIPANT_ROLES.map(value => (
        <option key={value} value={value}>
          {texts.parts[value]}
        </option>
      ))}
    </select>
  );
}
