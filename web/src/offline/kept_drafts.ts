/** The drafts that this device keeps: one for each chat and tab, so that no tab overwrites the text of another. */
import { type Draft, EMPTY_DRAFT } from '../platform/drafts';
import { readTabId } from '../platform/message_store';
import { holdPageLock } from '../platform/page_lock';
import type { Store } from '../platform/store';
import { createUniqueId } from '../platform/unique_id';
import type { AppState } from '../state/app_state';
import { changeOf, type KeptDraft, keysOf, NEW_CHAT, type Person } from './device_database';

export interface DraftDeps {
  store: Store<AppState>;
  /** Puts a text into the message field of the open chat. */
  setDraft(draft: Draft): void;
}

type ShownDraft = Pick<AppState, 'sessionId' | 'draft'>;

/** Milliseconds after the last key. */
const SAVE_DELAY_MS = 400;
const MAX_AGE_MS = 30 * 86_400_000;

/**
 * Keeps what is typed. A chat with an empty field gets the newest text of a tab that has closed; the texts of open tabs stay theirs. Drafts of
 * temporary chats are not kept.
 */
export function keepDrafts({ store, setDraft }: DraftDeps): void {
  const own = { tab: readTabId(createUniqueId), page: createUniqueId() };
  const lock = holdPageLock(own.page);
  let shown: ShownDraft = store.get();
  let isPersonKnown = false;
  let waiting: ShownDraft | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    clearTimeout(timer);
    if (!waiting) return;
    void writeDraft(store.get().me, { ...own, sessionId: waiting.sessionId ?? NEW_CHAT, at: Date.now(), draft: waiting.draft });
    waiting = undefined;
  };
  const put = (draft: ShownDraft) => {
    if (waiting && waiting.sessionId !== draft.sessionId) save();
    waiting = draft;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY_MS);
  };
  const adopt = async () => {
    const { sessionId, draft, isTemporary } = store.get();
    if (!isPersonKnown || draft.text !== '' || isTemporary) return;
    // A text that was sent a moment ago is still kept.
    save();
    await lock.held;
    const drafts = await readDrafts(sessionId ?? NEW_CHAT);
    const closed = await lock.findClosed(drafts.map(({ page }) => page));
    const isFree = ({ tab, page }: KeptDraft) => tab === own.tab || closed === undefined || closed.has(page);
    const found = drafts.findLast(isFree);
    const now = store.get();
    if (!found || now.sessionId !== sessionId || now.draft.text !== '') return;
    setDraft(found.draft);
    if (found.tab !== own.tab) await removeDraft(found);
  };
  store.subscribe(() => {
    const { sessionId, draft, isTemporary, me, isLoginNeeded, isAway } = store.get();
    const before = shown;
    shown = { sessionId, draft };
    const isOpened = sessionId !== before.sessionId;
    // The first message has given the new chat a session while the person wrote the next one.
    const isMoved = isOpened && before.sessionId === undefined && draft === before.draft && draft.text !== '';
    if (isMoved) put({ sessionId: undefined, draft: EMPTY_DRAFT });
    if (isMoved || (!isOpened && draft !== before.draft)) put({ sessionId, draft: isTemporary ? EMPTY_DRAFT : draft });
    const isNewlyKnown = !isPersonKnown && (isAway || (me !== undefined && !isLoginNeeded));
    if (isNewlyKnown) isPersonKnown = true;
    if (isNewlyKnown || (isOpened && !isMoved)) void adopt();
  });
  addEventListener('pagehide', save);
  document.addEventListener('visibilitychange', save);
}

/** Without a person: that of the database. An empty text removes the draft. Never rejects. */
async function writeDraft(person: Person | undefined, kept: Omit<KeptDraft, keyof Person>): Promise<void> {
  await changeOf(person, async (transaction, { tenant, keyName }) => {
    const drafts = transaction.objectStore('drafts');
    if (kept.draft.text === '') await drafts.delete([tenant, keyName, kept.sessionId, kept.tab]);
    else await drafts.put({ ...kept, tenant, keyName });
  });
}

/** Resolves with the drafts of a chat, the newest last; deletes those that are too old. Never rejects. */
async function readDrafts(sessionId: string): Promise<KeptDraft[]> {
  const drafts = await changeOf(undefined, async (transaction, owner) => {
    const table = transaction.objectStore('drafts');
    for (const { tenant, keyName, sessionId: id, tab, at } of await table.getAll())
      if (Date.now() - at > MAX_AGE_MS) await table.delete([tenant, keyName, id, tab]);
    return table.getAll(keysOf(owner, sessionId));
  });
  return (drafts ?? []).sort((a, b) => a.at - b.at);
}

async function removeDraft({ sessionId, tab, ...person }: KeptDraft): Promise<void> {
  await changeOf(person, (transaction, { tenant, keyName }) => transaction.objectStore('drafts').delete([tenant, keyName, sessionId, tab]));
}
