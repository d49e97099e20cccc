/** Finds the session to which an id leads: that of a run, a question, a message, a tool call or a link. What it has found never changes. */
import { LRUCache } from 'lru-cache';
import type { ReadableStore, StoreReader } from '../../port/store/store';

/** Finds the session of an id with a prefix. Features add theirs. */
export type SessionFinder = (read: StoreReader, tenantId: string, id: string) => Promise<string | undefined>;

const MAX_KNOWN = 20_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Ids of OpenAI clients: a prefix before our id. */
const FOREIGN = /^(?:conv|resp)_(?=ses_|run_)/;

const FINDERS: Readonly<Record<string, SessionFinder>> = {
  run: async (read, tenantId, id) => (await read.runs.getState(tenantId, id))?.sessionId,
  msg: async (read, tenantId, id) => (await read.messages.get(tenantId, id))?.sessionId,
  exe: async (read, tenantId, id) => (await read.toolExecutions.get(tenantId, id))?.sessionId,
};

export class SessionIds {
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });

  private readonly finders = new Map<string, SessionFinder>(Object.entries(FINDERS));

  constructor(private readonly store: ReadableStore) {}

  /** Adds the finder of a feature, for ids that begin with the prefix and an underscore. */
  addFinder(prefix: string, finder: SessionFinder): void {
    this.finders.set(prefix, finder);
  }

  /** Resolves with undefined for an id of something that is in no session, or does not exist. */
  async sessionOf(tenantId: string, id: string): Promise<string | undefined> {
    const own = id.replace(FOREIGN, '');
    if (own.startsWith('ses_')) return own;
    const key = `${tenantId}/${own}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = await this.find(tenantId, own);
    if (found !== undefined) this.known.set(key, found);
    return found;
  }

  private async find(tenantId: string, id: string): Promise<string | undefined> {
    const { read } = this.store;
    if (UUID.test(id)) return (await read.questions.get(tenantId, id))?.sessionId;
    const prefix = id.slice(0, id.indexOf('_'));
    return this.finders.get(prefix)?.(read, tenantId, id);
  }
}
