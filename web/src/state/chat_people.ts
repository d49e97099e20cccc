/** The people of a chat: what each of them may do, and how the page names them. Pure. */
import type { ChatPart, Me, Participant, ParticipantRole, PresentPerson, SessionSummary } from '../api/rest_types';
import type { SessionView } from './view_types';

/** `sessionId`: the chat of which it was read. */
export interface ChatParticipants {
  sessionId: string;
  rows: readonly Participant[];
}

export interface ChatPresence {
  sessionId: string;
  people: readonly PresentPerson[];
}

export const PARTICIPANT_ROLES: readonly ParticipantRole[] = ['driver', 'approver', 'watcher'];

/** Returns true when a person of the tenant has logged in, and false for a key and a guest, who do not see who takes part. */
export const isPerson = ({ me }: Pick<OpenChat, 'me'>): boolean => me?.person !== undefined && me.guestOf === undefined;

/** What the page knows about the people of the open chat, and of the tenant. */
export interface PeopleState {
  /** Who takes part in the open chat; absent until it is read. */
  participants?: ChatParticipants;
  /** Who has the chat open. */
  presence?: ChatPresence;
  /** The chat whose participants have changed; a new object for each change. */
  changedParticipants?: { sessionId: string };
  /** Names of the people of the tenant, by handle. */
  peopleNames: Readonly<Record<string, string>>;
}

interface OpenChat {
  me?: Me;
  sessionId?: string;
  openSession?: SessionSummary;
}

type PartState = OpenChat & Pick<PeopleState, 'participants' | 'presence'>;

/** Returns the part of this person in the open chat; undefined for keys, and until it is known: then the gateway decides. */
export function partInChat(state: PartState): ChatPart | undefined {
  const { me, sessionId, openSession, participants } = state;
  if (!me || !isPerson({ me }) || !openSession || openSession.id !== sessionId) return undefined;
  const { owner, visibility } = openSession;
  if (owner === undefined) return 'everybody';
  if (owner === me.keyName) return 'owner';
  if (visibility === 'tenant') return 'tenant';
  const rows = participants?.sessionId === sessionId ? participants?.rows : undefined;
  const own = rows?.filter(({ person }) => person === me.keyName || person === me.person?.role);
  const part = PARTICIPANT_ROLES.find(role => own?.some(row => row.role === role));
  return part ?? findPresent(state).find(({ handle }) => handle === me.keyName)?.part;
}

/** Returns true when a person with this part may write, steer and stop. While the part is not known, the gateway decides. */
export const mayWrite = (part: ChatPart | undefined): boolean => part !== 'approver' && part !== 'watcher';

/** Returns true when a person with this part may decide approvals. */
export const mayDecide = (part: ChatPart | undefined): boolean => part !== 'driver' && part !== 'watcher';

/** Returns true for a chat in which several people may take part, or have done so. */
export function isTogether({ me, openSession, sessionId, view }: OpenChat & { view: SessionView }): boolean {
  if (!isPerson({ me }) || openSession?.id !== sessionId) return false;
  return openSession?.visibility !== 'private' || view.turns.some(({ by }) => by !== undefined && by !== me?.keyName);
}

const NOBODY: readonly PresentPerson[] = [];

/** Returns the people who have the open chat open, this person too. */
export const findPresent = ({ sessionId, presence }: Pick<PartState, 'sessionId' | 'presence'>): readonly PresentPerson[] =>
  presence !== undefined && presence.sessionId === sessionId ? presence.people : NOBODY;

/** Returns true for a chat of another person. */
export const isOfOthers = ({ owner }: SessionSummary, me: Me | undefined): boolean =>
  me?.person !== undefined && owner !== undefined && owner !== me.keyName;

/** Returns the name of a person, else the handle. Keys have names of their own. */
export function nameIn({ me, peopleNames }: Pick<OpenChat, 'me'> & Pick<PeopleState, 'peopleNames'>, handle: string): string {
  return (handle === me?.keyName ? me.person?.name : undefined) ?? peopleNames[handle] ?? handle;
}
