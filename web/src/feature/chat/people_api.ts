/** Requests about the people of a chat, and what the page knows of them. */
import { callRest } from '../../api/call_rest';
import { RequestError } from '../../api/request_error';
import type { Page, Participant, ParticipantRole, SessionSummary, Visibility } from '../../api/rest_types';
import { readNames } from '../../components/people/people_names';
import type { Store } from '../../platform/store';
import type { AppState } from '../../state/app_state';
import { removeRows } from '../../state/chat_lists';
import { EMPTY_VIEW } from '../../state/view_types';

const pathOf = (sessionId: string) => `/sessions/${encodeURIComponent(sessionId)}`;
const participantPath = (sessionId: string, person: string) => `${pathOf(sessionId)}/participants/${encodeURIComponent(person)}`;

export const putParticipant = (sessionId: string, person: string, role: ParticipantRole): Promise<Participant> =>
  callRest('POST', `${pathOf(sessionId)}/participants`, { person, role });

/** Makes the person the driver. A driver who does this watches from then on; the owner stays the owner. */
export const handOverTo = (sessionId: string, person: string): Promise<Participant> =>
  callRest('POST', `${pathOf(sessionId)}/participants`, { person, role: 'driver', handOver: true });

export const removeParticipant = (sessionId: string, person: string): Promise<void> =>
  callRest('DELETE', participantPath(sessionId, person));

export const changeVisibility = (sessionId: string, visibility: Visibility): Promise<SessionSummary> =>
  callRest('PATCH', pathOf(sessionId), { visibility });

/** Reads who takes part in the open chat. When the person does not see the chat any more, it is closed. Rejects when the gateway is away. */
export async function readPeople(store: Store<AppState>, sessionId: string): Promise<void> {
  const isShown = () => store.get().sessionId === sessionId;
  try {
    const session = await callRest<SessionSummary>('GET', pathOf(sessionId));
    const rows = session.owner === undefined ? [] : (await callRest<Page<Participant>>('GET', `${pathOf(sessionId)}/participants`)).data;
    if (!isShown()) return;
    store.set({ openSession: session, participants: { sessionId, rows } });
    const { peopleNames } = store.get();
    if (rows.some(({ person }) => person.startsWith('@') && peopleNames[person] === undefined)) await readNames(store);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'not_found') throw error;
    store.set(removeRows(store.get(), [sessionId]));
    if (isShown()) closeChat(store, sessionId);
  }
}

/** The copy on this device goes with it. */
function closeChat(store: Store<AppState>, sessionId: string): void {
  store.set({ phase: 'missing', closedId: sessionId, openSession: undefined, view: EMPTY_VIEW, chatDialog: undefined });
}
