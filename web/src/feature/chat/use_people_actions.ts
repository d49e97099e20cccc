import { useState } from 'preact/hooks';
import type { ParticipantRole, Visibility } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useRequest } from '../../components/people/use_request';
import { useLocale } from '../../i18n/language_context';
import { nameIn } from '../../state/chat_people';
import { changeVisibility, handOverTo, putParticipant, readPeople, removeParticipant } from './people_api';
import { peopleTexts } from './people_texts';

/** Each action resolves with true when it is done; otherwise `problem` says why not. */
export interface PeopleActions {
  /** True while a request is under way. */
  isBusy: boolean;
  /** What was done last. */
  news: string | undefined;
  problem: string | undefined;
  setVisibility(visibility: Visibility): Promise<boolean>;
  put(person: string, role: ParticipantRole): Promise<boolean>;
  /** Makes another person the driver. A driver who does so watches from then on; the owner stays the owner. */
  handOver(person: string): Promise<boolean>;
  remove(person: string): Promise<boolean>;
  leave(): Promise<boolean>;
}

/** Changes who takes part in a chat, and reads it again after each change. */
export function usePeopleActions({ store, sessions }: ChatController, sessionId: string): PeopleActions {
  const texts = peopleTexts[useLocale()];
  const { isBusy, problem, attempt: send } = useRequest();
  const [news, setNews] = useState<string>();
  const attempt = (done: string | undefined, work: () => Promise<unknown>): Promise<boolean> => {
    setNews(undefined);
    return send(async () => {
      await work();
      await readPeople(store, sessionId);
      setNews(done);
      sessions.refreshSoon();
    });
  };
  const nameOf = (person: string) => nameIn(store.get(), person);
  const ownHandle = () => store.get().me?.keyName ?? '';
  return {
    isBusy,
    problem,
    news,
    setVisibility: visibility => attempt(undefined, () => changeVisibility(sessionId, visibility)),
    put: (person, role) => attempt(texts.added(nameOf(person), texts.parts[role]), () => putParticipant(sessionId, person, role)),
    handOver: person => attempt(texts.added(nameOf(person), texts.parts.driver), () => handOverTo(sessionId, person)),
    remove: person => attempt(texts.removed(nameOf(person)), () => removeParticipant(sessionId, person)),
    leave: () => attempt(undefined, () => removeParticipant(sessionId, ownHandle())),
  };
}
