/** Unsent messages, one per chat. They are stored in sessionStorage: they survive a reload and stay in their tab. */
import { isNamedHere, nameHere } from './root';

export interface Draft {
  text: string;
  /**
   * Target of the text: the id of a question that it answers, or `message` when the person chose to send a message although a question
   * waits. Absent until the first character is typed.
   */
  target?: string;
}

export const EMPTY_DRAFT: Draft = { text: '' };

/** Without a session id: the draft of a new chat. */
export function readDraft(sessionId: string | undefined): Draft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? 'null');
    return isDraft(stored) ? stored : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

export function writeDraft(sessionId: string | undefined, draft: Draft): void {
  try {
    if (draft.text === '') sessionStorage.removeItem(keyOf(sessionId));
    else sessionStorage.setItem(keyOf(sessionId), JSON.stringify(draft));
  } catch {
    // Storage is forbidden or full: the draft lasts as long as the page.
  }
}

const OWNER = nameHere('neta.tenant');

/** Returns the tenant to which the unsent texts of this tab belong; undefined before the first login. */
export function readDraftOwner(): string | undefined {
  try {
    return sessionStorage.getItem(OWNER) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeDraftOwner(tenant: string): void {
  try {
    sessionStorage.setItem(OWNER, tenant);
  } catch {
    // Storage is forbidden, so no text outlives the page.
  }
}

/** Removes everything unsent in this tab that was written for this gateway: drafts, images, forms. */
export function forgetDrafts(): void {
  try {
    const isOwn = (key: string) => key.startsWith('neta.') && isNamedHere(key);
    for (const key of Object.keys(sessionStorage).filter(isOwn)) sessionStorage.removeItem(key);
  } catch {
    // Storage is forbidden, so there is nothing.
  }
}

/** Returns true when the draft answers the question: it was begun for this question, or it is still empty. */
export function isAnswerTo(draft: Draft, requestId: string): boolean {
  return draft.text === '' ? draft.target !== 'message' : draft.target === requestId;
}

/** Returns the draft after typing. `requestId` is the question that waits. */
export function typeInto(draft: Draft, text: string, requestId: string | undefined): Draft {
  const target = draft.text === '' && requestId !== undefined && isAnswerTo(draft, requestId) ? requestId : draft.target;
  if (text !== '') return { text, target };
  return target === 'message' ? { text, target } : EMPTY_DRAFT;
}

const keyOf = (sessionId: string | undefined): string => nameHere(`neta.draft.${sessionId ?? 'new'}`);

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && typeof (value as Draft).text === 'string';
}
