import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { isOfOthers, nameIn } from '../../state/chat_people';
import { Avatar } from './avatar';
import { peopleTexts } from './people_texts';

/** Says in the list whose chat it is, or who else sees it. A private chat of this person has no mark. */
export function SharedMark({ controller, session }: { controller: ChatController; session: SessionSummary }) {
  const texts = peopleTexts[useLocale()];
  const { owner, visibility = 'tenant' } = session;
  const isOthers = useStore(controller.store, ({ me }) => isOfOthers(session, me));
  const ownerName = useStore(controller.store, state => (owner === undefined ? '' : nameIn(state, owner)));
  if (visibility === 'private' && !isOthers) return null;
  const text = isOthers ? texts.chatOf(ownerName) : texts.marks[visibility === 'tenant' ? 'tenant' : 'shared'];
  return (
    <span class="shared-mark" title={text} data-testid="shared-mark" data-visibility={visibility}>
      {isOthers && owner !== undefined ? (
        <Avatar handle={owner} name={ownerName} />
      ) : (
        <Icon name={visibility === 'tenant' ? 'globe' : 'crew'} />
      )}
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

/** Names who wrote a message. The message itself has the name for screen readers. */
export function MessageAuthor({ handle, name, isOwn }: { handle: string; name: string; isOwn: boolean }) {
  return (
    <p class="message-author" aria-hidden="true" data-testid="message-author">
      {!isOwn && <Avatar handle={handle} name={name} />}
      {name}
    </p>
  );
}
