/** The rows of the dialog about the people of a chat. Pure. */
import type { ChatPart } from '../../api/rest_types';
import type { AppState } from '../../state/app_state';
import { findPresent, nameIn } from '../../state/chat_people';

export interface PersonRow {
  /** A handle, the name of a role, or `group:<name>`. */
  id: string;
  /** True for a role and a group, whose people all take part. */
  isRole: boolean;
  isMe: boolean;
  name: string;
  part: ChatPart;
  isHere: boolean;
  isTyping: boolean;
}

/** Returns the owner, the participants, and others who have the chat open because the tenant sees it. */
export function listPeople(state: AppState): PersonRow[] {
  const { openSession, participants, sessionId, me } = state;
  const present = new Map(findPresent(state).map(person => [person.handle, person]));
  const toRow = (id: string, part: ChatPart): PersonRow => {
    const person = present.get(id);
    const isRole = !id.startsWith('@');
    const name = person?.name ?? nameIn(state, id);
    return { id, isRole, isMe: id === me?.keyName, name, part, isHere: person !== undefined, isTyping: person?.typing === true };
  };
  const rows = participants?.sessionId === sessionId ? (participants?.rows ?? []) : [];
  const own = openSession?.owner === undefined ? [] : [toRow(openSession.owner, 'owner')];
  const listed = [...own, ...rows.map(({ person, role }) => toRow(person, role))];
  const known = new Set(listed.map(({ id }) => id));
  return [...listed, ...[...present.values()].filter(({ handle }) => !known.has(handle)).map(({ handle, part }) => toRow(handle, part))];
}
