/** Sessions for operators: what each holds and how its last run ended; and the tenant of a session or a question. */

import { AppError } from '../../../errors';
import type { Page, PageRequest } from '../../../port/store/page';
import type { SessionRecord } from '../../../port/store/sessions';
import type { Store } from '../../../port/store/store';
import type { FoundMessage, MessageSearcher } from '../../../service/session/message_searcher';
import { toIsoTime } from '../../../utils/iso_time';
import type { OpsSessions } from '../schemas/data_schemas';
import type { OpsView } from '../shared/ops_view';
import type { OpsSessionFilter, OpsSessionRow, OpsSessionSize } from '../store/ops_records';

type OpsSession = OpsSessions['data'][number];

export interface OpsSessionsFilter extends OpsSessionFilter {
  agent?: string;
  /** Status of the last run. */
  status?: string;
}

export interface SessionsRequest {
  filter: OpsSessionsFilter;
  page: PageRequest;
  mayReadTexts: boolean;
}

export interface SearchedSessions {
  query: string;
  search: MessageSearcher;
}

interface FoundSession {
  session: SessionRecord;
  snippet: string;
}

/** Cursors of a search go on in the titles, or in the messages; the messages begin after the last page of titles. */
const TITLES = 'titles:';
const FIRST_MESSAGES = 'messages';

export class SessionReader {
  constructor(private readonly deps: { store: Store }) {}

  /** A page may be shorter than its limit, when few sessions pass the filter. */
  async list(view: OpsView, { filter, page, mayReadTexts }: SessionsRequest): Promise<Page<OpsSession>> {
    const { agent, status, ...stored } = filter;
    const { data, nextCursor } = await this.deps.store.lists.opsSessions.list(view, stored, page);
    const rows = await this.describe(
      data.filter(row => agent === undefined || row.agent === agent),
      mayReadTexts,
    );
    const kept = status === undefined ? rows : rows.filter(({ lastRun }) => lastRun?.status === status);
    return { data: kept, nextCursor };
  }

  /**
   * Finds sessions of one tenant: first sessions whose title holds every word, the last changed first; then sessions by the words of their messages,
   * the best match first. Each session comes once a page, with the text around its best match.
   */
  async search(
    tenantId: string,
    searched: SearchedSessions,
    { filter, page }: Omit<SessionsRequest, 'mayReadTexts'>,
  ): Promise<Page<OpsSession>> {
    const titled = await this.searchTitles(tenantId, searched.query, { filter, page });
    const known = new Set(titled.data.map(({ id }) => id));
    const left = page.limit - titled.data.length;
    const isFull = titled.nextCursor !== undefined || left <= 0;
    const said: Page<FoundSession> = isFull
      ? { data: [] }
      : await this.searchMessages(tenantId, searched, { filter, page: { ...page, limit: left } });
    const snippets = new Map(said.data.map(({ session, snippet }) => [session.id, snippet]));
    const found = [...titled.data, ...said.data.map(({ session }) => session).filter(({ id }) => !known.has(id))];
    const rows = await this.describe(
      found.filter(session => passes(session, filter)),
      true,
    );
    const nextCursor = titled.nextCursor ?? (isFull ? FIRST_MESSAGES : said.nextCursor);
    return {
      data: rows
        .filter(({ lastRun }) => filter.status === undefined || lastRun?.status === filter.status)
        .map(row => ({ ...row, snippet: snippets.get(row.sessionId) ?? '' })),
      nextCursor,
    };
  }

  /** Searches titles. Finds nothing once the cursor is a cursor of messages. */
  private async searchTitles(
    tenantId: string,
    query: string,
    { filter: { originDoor }, page: { cursor, ...page } }: Omit<SessionsRequest, 'mayReadTexts'>,
  ): Promise<Page<SessionRecord>> {
    if (cursor !== undefined && !cursor.startsWith(TITLES)) return { data: [] };
    const request = cursor === undefined ? page : { ...page, cursor: cursor.slice(TITLES.length) };
    const filter = { title: query, originDoor, withHidden: true } as const;
    const { data, nextCursor } = await this.deps.store.lists.sessions.list(tenantId, request, filter);
    return { data, nextCursor: nextCursor === undefined ? undefined : `${TITLES}${nextCursor}` };
  }

  private async searchMessages(
    tenantId: string,
    { query, search }: SearchedSessions,
    { filter: { since }, page: { cursor, ...page } }: Omit<SessionsRequest, 'mayReadTexts'>,
  ): Promise<Page<FoundSession>> {
    const isFirst = cursor === undefined || cursor === FIRST_MESSAGES || cursor.startsWith(TITLES);
    const request = isFirst ? page : { ...page, cursor };
    const hits = await search.searchMessages(tenantId, { query, since }, request);
    const best = new Map<string, FoundMessage>();
    for (const hit of hits.data) if (!best.has(hit.sessionId)) best.set(hit.sessionId, hit);
    const found = await Promise.all(
      [...best].map(async ([id, { snippet }]) => ({ session: await this.deps.store.lists.sessions.get(tenantId, id), snippet })),
    );
    return { ...hits, data: found.flatMap(({ session, snippet }) => (session ? [{ session, snippet }] : [])) };
  }

  /** Returns the tenant of the view; for callers who see all tenants, the tenant of the thing. Rejects `not_found`. */
  async tenantOf({ tenantId }: OpsView, kind: 'session' | 'question', id: string): Promise<string> {
    const found = tenantId ?? (await this.deps.store.lists.opsSessions.tenantOf(kind, id));
    if (found !== undefined) return found;
    throw kind === 'session'
      ? new AppError('not_found', { param: '/id', message: 'There is no such session.', messageZh: '没有这个会话。' })
      : new AppError('not_found', { param: '/requestId', message: 'There is no such question.', messageZh: '没有这个问题。' });
  }

  private async describe(rows: readonly OpsSessionRow[], mayReadTexts: boolean): Promise<OpsSession[]> {
    const described: OpsSession[] = [];
    // One row after the other, so that other work gets its turn in between.
    for (const row of rows) {
      const size = await this.deps.store.lists.opsSessions.size(row.tenantId, row.id);
      described.push(toSession(row, size, mayReadTexts));
    }
    return described;
  }
}

const passes = ({ agent, updatedAt, origin }: SessionRecord, filter: OpsSessionsFilter): boolean =>
  (filter.agent === undefined || agent === filter.agent) &&
  (filter.since === undefined || updatedAt >= filter.since) &&
  (filter.originDoor === undefined || (origin !== undefined && 'door' in origin));

function toSession(
  { tenantId, id, title, agent, createdAt, updatedAt }: OpsSessionRow,
  { lastRun, ...size }: OpsSessionSize,
  mayReadTexts: boolean,
): OpsSession {
  return {
    sessionId: id,
    tenantId,
    title: mayReadTexts ? title : undefined,
    agent,
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
    ...size,
    lastRun: lastRun && toLastRun(lastRun),
  };
}

function toLastRun({
  id,
  status,
  door,
  outcome,
  createdAt,
  endedAt,
}: NonNullable<OpsSessionSize['lastRun']>): NonNullable<OpsSession['lastRun']> {
  return {
    runId: id,
    status,
    door,
    reason: outcome?.reason,
    errorCode: outcome?.error?.code,
    createdAt: toIsoTime(createdAt),
    endedAt: endedAt === undefined ? undefined : toIsoTime(endedAt),
  };
}
