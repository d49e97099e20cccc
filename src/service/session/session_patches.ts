/** Turns a change of a session into what is stored. */
import type { ThinkingLevel } from '../../port/llm';
import type { ModelParameters } from '../../port/model_parameters';
import type { ChatPatch, Locale, SessionPatch } from '../../port/store/sessions';

export interface SessionInput {
  title?: string;
  agent?: string;
  locale?: Locale;
  thinkingLevel?: ThinkingLevel;
  /** null: the model of the agent. */
  model?: string | null;
  /** Parameters that replace the earlier ones; null: none. */
  parameters?: ModelParameters | null;
  metadata?: Record<string, unknown>;
  pinned?: boolean;
  archived?: boolean;
  /** null: in no project. */
  project?: string | null;
  /** Only when the session is created. */
  temporary?: boolean;
  /** null: none. */
  instructions?: string | null;
}

/** Splits a change into the fields of the session and those that all sessions of its chat have in common. */
export function toPatches({ title, pinned, archived, project, instructions, ...sessionPatch }: SessionInput): {
  sessionPatch: SessionPatch;
  chatPatch: ChatPatch;
} {
  return { sessionPatch, chatPatch: { title, pinned, archived, project: project === null ? '' : project, instructions } };
}

/** Returns who has ever written the instructions once `by` has written these; undefined when that does not change. */
export function writersAfter(
  before: readonly string[] | undefined,
  { instructions, by }: { instructions?: string | null | undefined; by?: string | undefined },
): readonly string[] | undefined {
  return instructions && by !== undefined ? [...new Set([...(before ?? []), by])] : undefined;
}

/** Pinning, archiving and moving a chat do not count as use: the chat keeps its place by time. */
export function isUse({ pinned: _pinned, archived: _archived, project: _project, ...used }: SessionInput): boolean {
  return Object.values(used).some(value => value !== undefined);
}

export const changesAny = (patch: ChatPatch): boolean => Object.values(patch).some(value => value !== undefined);
