/** Branches of the open chat: sends another message in the place of an earlier one, and moves between the branches. */
import type { RunOfPlace, SessionSummary } from '../api/rest_types';
import type { Messages } from '../i18n/messages';
import { findChatRow, findRootId } from '../state/app_state';
import { isOver, type Turn } from '../state/view_types';
import { type ChatContext, isShown } from './chat_context';
import { type ConversationDeps, openConversation } from './conversations';
import { revealMessage } from './reveal_message';
import { sendInBackground, sendMessage } from './send_message';

export interface BranchActions {
  /**
   * Sends a text, with the images of the turn, in the place of the message of the turn. Resolves with whether the message is on its way; the page
   * shows a failure. Does nothing while a message in this place is being sent.
   */
  resend(turn: Turn, text: string): Promise<boolean>;
  /** Shows the branch with this run, which stands in the place of the turn. */
  show(turn: Turn, run: RunOfPlace): Promise<void>;
}

interface BranchDeps extends ConversationDeps {
  messages: () => Messages;
}

export function createBranchActions(deps: BranchDeps): BranchActions {
  const { context, messages, loader } = deps;
  followBranches(context);
  const sending = new Set<string>();
  return {
    resend: async (turn, text) => {
      const { runId } = turn;
      if (runId === undefined || sending.has(runId)) return false;
      sending.add(runId);
      try {
        return await resend(deps, { ...turn, runId }, text);
      } catch {
        context.notify(messages().requestFailed);
        return false;
      } finally {
        sending.delete(runId);
      }
    },
    show: async (turn, run) => {
      openConversation(deps, run.sessionId, 'push', { turns: turnsBefore(context, turn), session: findKnown(context, run.sessionId) });
      await revealMessage(context, loader, { ...run, role: 'user' });
      context.store.set({ switchedRunId: run.runId });
    },
  };
}

async function resend(deps: BranchDeps, turn: Turn & { runId: string }, text: string): Promise<boolean> {
  const { context } = deps;
  const { conversation, rest } = context;
  if (!conversation.sessionId) return false;
  const turns = turnsBefore(context, turn);
  // Read the images first: an image that is gone must not leave an empty branch.
  const images = await readImages(turn.images ?? []);
  const branch = await rest.createBranch(conversation.sessionId, turn.runId);
  if (isShown(context, conversation)) {
    openConversation(deps, branch.id, 'push', { turns, session: branch });
    sendMessage(deps, text, images);
  } else if (conversation.isLeft) await rest.deleteSession(branch.id);
  else sendInBackground(deps, { sessionId: branch.id, temporary: conversation.temporary }, text, images);
  return true;
}

async function readImages(images: readonly string[]): Promise<string[]> {
  if (images.length === 0) return [];
  const { readSentImages } = await import('../images/prepare_images');
  return (await readSentImages(images)).map(({ src }) => src);
}

/** The turns that a branch before the turn begins with. */
function turnsBefore({ store }: ChatContext, { runId }: Turn): readonly Turn[] {
  const { turns } = store.get().view;
  // By the id of the run: the page replaces a turn when more of it is known.
  const index = turns.findIndex(turn => turn.runId === runId);
  return turns.slice(0, Math.max(0, index)).filter(isOver);
}

/** What the page knows of a branch of the open chat; the branches of a chat begin with the same settings. */
function findKnown({ store }: ChatContext, sessionId: string): SessionSummary | undefined {
  const { sessions, openSession } = store.get();
  return sessions.find(({ id }) => id === sessionId) ?? (openSession && { ...openSession, id: sessionId });
}

/** Reads the branches of the open chat when it was opened and whenever one of its branches was used, in this page or elsewhere. */
function followBranches(context: ChatContext): void {
  const { store, rest } = context;
  let shown: string | undefined;
  store.subscribe(() => {
    const rootId = findRootId(store.get());
    const row = findChatRow(store.get());
    const state = rootId && [rootId, row?.id, row?.updatedAt].join();
    if (state === shown) return;
    shown = state;
    if (rootId === undefined) return store.set({ branchPlaces: [] });
    const { conversation } = context;
    rest.listBranchPlaces(rootId).then(
      ({ data }) => isShown(context, conversation) && store.set({ branchPlaces: data }),
      // Keeps the branches as they are; the next use of a branch reads them again.
      () => undefined,
    );
  });
}
