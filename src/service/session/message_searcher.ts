/** Searches messages, for doors and operators; the feature `search` does it. */
import type { Page, PageRequest } from '../../port/store/page';
import type { MessageHit, MessageSearch } from '../../port/store/search';

export type SearchInput = Omit<MessageSearch, 'now'>;

/** `snippet`: the text around the hit, on one line. */
export type FoundMessage = Omit<MessageHit, 'text'> & { snippet: string };

export interface MessageSearcher {
  /** Searches messages. Rejects `not_found` when the session to search in does not exist. */
  searchMessages(tenantId: string, search: SearchInput, page: PageRequest): Promise<Page<FoundMessage>>;
}

/** A gateway without search finds no message. */
export const NO_SEARCH: MessageSearcher = { searchMessages: async () => ({ data: [] }) };
