/** Turns a change of a session into what is stored. */
import type { ChatPatch, SessionPatch } from '../../port/store/sessions';
import type { SessionInput } from './session_service';

/** Splits a change into the fields of the session and those that all sessions of its chat have in common. `by`: whoever changes it. */
export function toPatches(
  { title, pinned, archived, project, instructions, ...sessionPatch }: SessionInput,
  by: string | undefined,
): { sessionPatch: SessionPatch; chatPatch: ChatPatch } {
  // Without a name the earlier writer of the instructions does not stay.
  const instructionsBy = instructions === undefined ? undefined : (instructions && by) || null;
  return {
    sessionPatch,
    chatPatch: { title, pinned, archived, project: project === null ? '' : project, instructions, instructionsBy },
  };
}

/** Pinning, archiving and moving a chat do not count as use: the chat keeps its place by time. */
export function isUse({ pinned: _pinned, archived: _archived, project: _project, ...used }: SessionInput): boolean {
  return Object.values(used).some(value => value !== undefined);
}

export const changesAny = (patch: ChatPatch): boolean => Object.values(patch).some(value => value !== undefined);
