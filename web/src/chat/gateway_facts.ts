/** Reads what the page knows about the gateway. */
import type { Preferences } from '../platform/preferences';
import type { Store } from '../platform/store';
import type { ChatContext } from './chat_context';

/** Loads the info of the gateway, once. */
export async function loadInfo(context: ChatContext): Promise<void> {
  const { rest, store } = context;
  if (store.get().info || context.isLoadingInfo) return;
  context.isLoadingInfo = true;
  try {
    store.set({ info: await rest.info() });
  } catch {
    // Retry at the next connection.
  } finally {
    context.isLoadingInfo = false;
  }
}

/** Loads the agents, once. Never rejects. */
export async function loadAgents(context: ChatContext): Promise<void> {
  if (!context.store.get().agents) await readAgents(context);
}

/** Reads the agents, with labels in the language of the page. Never rejects. */
async function readAgents({ rest, store }: ChatContext): Promise<void> {
  // A failure shows names instead of labels, and the next call retries.
  const agents = await rest.listAgents().catch(() => undefined);
  if (agents) store.set({ agents: agents.data });
}

/** Reads the labels of the agents again when the person changes the language. */
export function followLanguage(preferences: Store<Preferences>, context: ChatContext): void {
  let shown = context.locale();
  preferences.subscribe(() => {
    if (context.locale() === shown) return;
    shown = context.locale();
    if (context.store.get().agents) void readAgents(context);
  });
}
