import { useId, useState } from 'preact/hooks';
import type { ChatPart } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useModal } from '../../components/basic/use_modal';
import { VisibilitySelect } from '../../components/people/visibility_select';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { nameIn, partInChat } from '../../state/chat_people';
import { AddPerson } from './add_person';
import { listPeople } from './people_rows';
import { peopleTexts } from './people_texts';
import { PersonLine } from './person_line';
import { type PeopleActions, usePeopleActions } from './use_people_actions';
import './chat_dialogs.css';
import './people.css';

/** Shows who sees the chat, who takes part in it and who is here, and changes what this person may change. */
export function PeopleDialog({ controller, onClose }: { controller: ChatController; onClose: () => void }) {
  const messages = useMessages();
  const texts = peopleTexts[useLocale()];
  const dialog = useModal();
  const titleId = useId();
  const { store } = controller;
  const [sessionId] = useState(store.get().sessionId ?? '');
  // A new value with every change of the state: the rows come from many of its fields.
  const state = useStore(store, value => value);
  const part = partInChat(state);
  const mayInvite = part === 'owner' || part === 'driver';
  const actions = usePeopleActions(controller, sessionId);
  const rows = listPeople(state);
  const isListed = rows.some(({ isMe, part: listed }) => isMe && listed !== 'owner' && listed !== 'tenant' && listed !== 'everybody');
  return (
    <dialog ref={dialog} class="dialog chat-dialog people-dialog" aria-labelledby={titleId} data-testid="people-dialog" onClose={onClose}>
      <h2 id={titleId}>{texts.title}</h2>
      <VisibilityPart controller={controller} part={part} actions={actions} />
      <ul class="people-list" aria-label={texts.list}>
        {rows.map(row => (
          <PersonLine key={row.id} row={row} ownPart={part} mayChange={mayInvite} actions={actions} />
        ))}
      </ul>
      {mayInvite ? <AddPerson controller={controller} known={rows.map(({ id }) => id)} actions={actions} /> : null}
      {!mayInvite && state.openSession?.owner !== undefined && <p class="people-note">{texts.mayNotInvite}</p>}
      <p class="people-note" role="status" data-testid="people-news">
        {actions.news}
      </p>
      {actions.problem && (
        <p class="form-error" role="alert" data-testid="people-problem">
          {actions.problem}
        </p>
      )}
      <div class="dialog-actions">
        {isListed && (
          <button
            type="button"
            class="button leave-chat"
            disabled={actions.isBusy}
            data-testid="leave-chat"
            onClick={() => void actions.leave().then(isDone => isDone && onClose())}
          >
            {texts.leave}
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          {messages.close}
        </button>
      </div>
    </dialog>
  );
}

interface VisibilityProps {
  controller: ChatController;
  part: ChatPart | undefined;
  actions: PeopleActions;
}

/** The owner chooses who sees the chat; others read it. */
function VisibilityPart({ controller: { store }, part, actions }: VisibilityProps) {
  const locale = useLocale();
  const texts = peopleTexts[locale];
  const visibility = useStore(store, ({ openSession }) => openSession?.visibility);
  const owner = useStore(store, state => nameIn(state, state.openSession?.owner ?? ''));
  if (visibility === undefined) return <p class="people-note">{texts.ofTenant}</p>;
  if (part !== 'owner') {
    return (
      <p class="people-note" data-testid="chat-visibility">
        {joinSentences(locale, texts.seenBy[visibility](owner), texts.onlyOwner)}
      </p>
    );
  }
  return (
    <VisibilitySelect
      label={texts.visibility}
      value={visibility}
      names={texts.visibilities}
      isBusy={actions.isBusy}
      testId="chat-visibility"
      onChange={next => void actions.setVisibility(next)}
    />
  );
}
