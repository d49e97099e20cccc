import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { findPresent } from '../../state/chat_people';
import { Avatar } from './avatar';
import { peopleTexts } from './people_texts';
import './people.css';

/** Number of people whose initials the button shows. */
const MAX_AVATARS = 3;

/** Shows who has the open chat open beside this person, and opens the dialog about its people. */
export function PeopleButton({ controller }: { controller: ChatController }) {
  const texts = peopleTexts[useLocale()];
  const present = useStore(controller.store, findPresent);
  const own = useStore(controller.store, ({ me }) => me?.keyName);
  const isOpen = useStore(controller.store, ({ chatDialog }) => chatDialog === 'people');
  const visibility = useStore(controller.store, ({ openSession }) => openSession?.visibility ?? 'tenant');
  const others = present.filter(({ handle }) => handle !== own);
  const label = others.length > 0 ? texts.openWith(others.map(({ name }) => name).join(', ')) : texts.open;
  const shown = others.slice(0, others.length > MAX_AVATARS ? MAX_AVATARS - 1 : MAX_AVATARS);
  return (
    <button
      type="button"
      class="people-button"
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={label}
      data-testid="open-people"
      data-visibility={visibility}
      onClick={() => controller.openDialog('people')}
    >
      {others.length === 0 && <Icon name={visibility === 'tenant' ? 'globe' : 'crew'} />}
      {shown.map(({ handle, name }) => (
        <Avatar key={handle} handle={handle} name={name} />
      ))}
      {others.length > shown.length && <span class="more-people">+{others.length - shown.length}</span>}
    </button>
  );
}
