/** Branches of the open chat: sends another message in the place of an earlier one, and moves between the branches. */
import type { RunOfPlace, SessionSummary } from '../api/rest_types';
import type { Messages } from '../i18n/messages';
import { findChatRow, findRootId } from '../state/app_state';
import { isOver, type Turn } from '../state/view_types';
import { type ChatContext, isShown } from './chat_context';
import { type ConversationDeps, openConversation } from './conversations';
import { revealMessage } from './reveal_message';
import { sendMessage } from './send_message';

export interface BranchActions {
  /**
   * Sends a text, with the images of the turn, in the place of the message of the turn. Resolves with whether the branch was created; the page shows a
   * failure.
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
  return {
    resend: async (turn, text) => {
      try {
        return await resend(deps, turn, text);
      } catch {
        context.notify(messages().requestFailed);
        return false;
      }
    },
    show: async (turn, run) => {
      openConversation(deps, run.sessionId, 'push', { turns: turnsBefore(context, turn), session: findKnown(context, run.sessionId) });
      await revealMessage(context, loader, { ...run, role: 'user' });
      context.store.set({ switchedRunId: run.runId });
    },
  };
}

async function resend(deps: BranchDeps, turn: Turn, text: string): Promise<boolean> {
  const { context } = deps;
  const { conversation, rest } = context;
  const { runId, images = [] } = turn;
  if (!conversation.sessionId || runId === undefined) return false;
  const [branch, sent] = await Promise.all([rest.createBranch(conversation.sessionId, runId), readImages(images)]);
  if (!isShown(context, conversation)) return true;
  openConversation(deps, branch.id, 'push', { turns: turnsBefore(context, turn), session: branch });
  sendMessage(deps, text, sent);
  return true;
}

async function readImages(images: readonly string[]): Promise<string[]> {
  if (images.length === 0) return [];
  const { readSentImages } = await import('../images/prepare_images');
  return (await readSentImages(images)).map(({ src }) => src);
}

/** The turns that a branch before the turn begins with. */
function turnsBefore({ store }: ChatContext, turn: Turn): readonly Turn[] {
  const { turns } = store.get().view;
  return turns.slice(0, turns.indexOf(turn)).filter(isOver);
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
    rest.listBranches(rootId).then(
      ({ data }) => isShown(context, conversation) && store.set({ branchPlaces: data }),
      // Keeps the branches as they are; the next use of a branch reads them again.
      () => undefined,
    );
  });
}
