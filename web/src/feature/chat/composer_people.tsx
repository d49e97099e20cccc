import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { findPresent, nameIn } from '../../state/chat_people';
import { usePeople } from '../../state/people_context';
import { peopleTexts } from './people_texts';
import { useFollowPeople } from './use_follow_people';
import './people.css';

/** Says above the message field who types, and why this person may not write. */
export function ComposerPeople({ controller: { store } }: { controller: ChatController }) {
  useFollowPeople(store);
  const texts = peopleTexts[useLocale()];
  const { part, own } = usePeople();
  const present = useStore(store, findPresent);
  const owner = useStore(store, state => nameIn(state, state.openSession?.owner ?? ''));
  const typing = present.filter(person => person.typing && person.handle !== own).map(({ name }) => name);
  return (
    <>
      {/* Not announced: it would interrupt whoever writes. */}
      <p class="typing-line" data-testid="typing-line">
        {typing.length > 0 && (
          <>
            <span class="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {nameTyping(typing, texts)}
          </>
        )}
      </p>
      {(part === 'approver' || part === 'watcher') && (
        <p class="cannot-write" role="status" data-testid="cannot-write">
          <Icon name={part === 'watcher' ? 'eye' : 'shield'} />
          {texts.cannotWrite[part](owner)}
        </p>
      )}
    </>
  );
}

function nameTyping(names: readonly string[], texts: (typeof peopleTexts)['en']): string {
  const [one, other, ...more] = names;
  if (one === undefined || more.length > 0) return texts.many(names.length);
  return other === undefined ? texts.typesOne(one) : texts.typeTwo(one, other);
}
