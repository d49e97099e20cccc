/** Sessions: a session is a conversation with one history, one plan and at most one active run. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { MessageOrder, MessageRecord } from '../../port/store/messages';
import type { Page, PageRequest } from '../../port/store/page';
import type { Viewer } from '../../port/store/session_access';
import type { ChatSession } from '../../port/store/session_branches';
import type { Locale, SessionFilter, SessionRecord } from '../../port/store/sessions';
import type { Store, StoreTransaction } from '../../port/store/store';
import { accessOfNew, type SessionAccess } from '../access/session_access';
import type { VisibleAgents } from '../agent/visible_agents';
import { type AuditRecorder, byActor } from '../audit/audit_log';
import { workInParts } from '../in_parts';
import type { ModelCatalog } from '../model/model_catalog';
import { OncePerKey } from '../once_per_key';
import type { ResultFiles } from '../tool/result_files';
import { type ExportedItem, type ExportSource, exportSession, exportTenant } from './data_export';
import type { HistoryCache } from './history_cache';
import { findBranchPoint, groupByPlace, type RunsOfPlace } from './session_branches';
import { type ForkInput, forkSession } from './session_fork';
import { type ImportedChat, importSession } from './session_import';
import { changesAny, isUse, type SessionInput, toPatches, writersAfter } from './session_patches';
import type { SessionWatch } from './session_watch';

/** `by`: the key or the person that makes or changes the session, who must see its new agent. */
export type NewSessionInput = SessionInput & { by: string | undefined };

export interface SessionChange extends NewSessionInput {
  /** The session that lists show of the chat from now on: a branch of the chat, or its first session. */
  branch?: string;
}

export interface SessionServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  agents: Pick<VisibleAgents, 'has' | 'assertAgentExists'>;
  models: ModelCatalog;
  defaultLocale: Locale;
  /** Days that chats are kept after their last use; 0: for ever. */
  keptDays: number;
  /** The same for chats of one owner. */
  keptDaysOf: (tenantId: string, owner: string) => Promise<number>;
  results: ResultFiles;
  histories: HistoryCache;
  undo: { forgetSession: (tenantId: string, sessionId: string) => Promise<void> };
  /** What features keep of a tenant; filled while the gateway is put together. */
  exportSources: readonly ExportSource[];
  sessionWatch: Pick<SessionWatch, 'noteChange'>;
  sessionAccess: Pick<SessionAccess, 'noteNew' | 'lookOf'>;
  /** Called after a session was deleted. */
  onDelete: () => void;
  auditLog: AuditRecorder;
  /** Cancels the active and queued runs of a session before it is deleted. */
  cancelRuns: (tenantId: string, sessionId: string) => Promise<void>;
}

interface SessionStart extends Pick<SessionRecord, 'tenantId' | 'id' | 'title' | 'agent' | 'locale'> {
  /** Milliseconds since 1970. */
  now: number;
  /** The key or the person that makes the session. */
  by?: string | undefined;
}

/** Creates a session record with the default settings. */
export function newSession({ now, by, ...fields }: SessionStart): SessionRecord {
  return { ...fields, ...accessOfNew(by, fields.id), thinkingLevel: 'off', createdAt: now, updatedAt: now };
}

export class SessionService {
  constructor(private readonly deps: SessionServiceDeps) {}

  /**
   * Creates a session. Rejects `not_found` for the agent or the model, and `idempotency_mismatch`. `insertMore` stores more in the same transaction,
   * and is not called for a request that repeats an earlier one.
   */
  async createSession(
    tenantId: string,
    input: NewSessionInput,
    once = new OncePerKey(),
    insertMore?: (tx: StoreTransaction, session: SessionRecord) => Promise<void>,
  ): Promise<SessionRecord> {
    this.assertChoicesExist(tenantId, input);
    const { clock, ids, store } = this.deps;
    const {
      title = '',
      agent = 'default',
      locale = this.deps.defaultLocale,
      model,
      parameters,
      project,
      instructions,
      by,
      ...rest
    } = input;
    const choices = {
      model: model || undefined,
      parameters: parameters ?? undefined,
      project: project || undefined,
      instructions: instructions || undefined,
      instructionsBy: writersAfter(undefined, { instructions, by }),
    };
    const start = { tenantId, id: ids.next('ses'), title, agent, locale, now: clock.now(), by };
    const session = { ...newSession(start), ...rest, ...choices };
    await store.transaction(once.lockOf(tenantId), tx =>
      once.makeOnce(tx, { tenantId, now: session.createdAt }, async () => {
        await tx.sessions.insert(session);
        await insertMore?.(tx, session);
        return session.id;
      }),
    );
    this.deps.sessionAccess.noteNew(session);
    this.deps.sessionWatch.noteChange(tenantId);
    return once.replayedId === undefined ? session : this.getSession(tenantId, once.replayedId);
  }

  /** Stores a chat of another program as a session. Rejects `idempotency_mismatch`. */
  async importSession(tenantId: string, chat: ImportedChat, once = new OncePerKey()): Promise<SessionRecord> {
    const session = await importSession(this.deps, tenantId, chat, once);
    this.deps.sessionWatch.noteChange(tenantId);
    return once.replayedId === undefined ? session : this.getSession(tenantId, once.replayedId);
  }

  /** Reads a session. Rejects `not_found`, also for another tenant's session. */
  async getSession(tenantId: string, sessionId: string): Promise<SessionRecord> {
    const session = await this.deps.store.read.sessions.get(tenantId, sessionId);
    if (!session) throw noSession();
    return session;
  }

  /** Lists sessions. `filter.parentRunId`: sessions of the child runs of this run; without it sessions of child runs are left out. */
  listSessions(tenantId: string, page: PageRequest, filter?: SessionFilter): Promise<Page<SessionRecord>> {
    return this.deps.store.lists.sessions.list(tenantId, page, filter);
  }

  /**
   * Changes the given fields of a session and resolves with the session. Rejects `not_found`, also for an agent or model that does not exist and for a
   * branch of another chat.
   */
  async updateSession(tenantId: string, sessionId: string, { branch, by, ...input }: SessionChange): Promise<SessionRecord> {
    this.assertChoicesExist(tenantId, { ...input, by });
    const { store, clock } = this.deps;
    const patches = toPatches(input);
    const { rootSessionId = sessionId } = await this.getSession(tenantId, sessionId);
    // Two changes of one chat, each locking the rows of all branches, would wait for each other in a circle.
    const session = await store.transaction({ session: { tenantId, sessionId: rootSessionId } }, async tx => {
      const before = input.instructions ? await tx.sessions.get(tenantId, sessionId) : undefined;
      const chatPatch = { ...patches.chatPatch, instructionsBy: writersAfter(before?.instructionsBy, { ...input, by }) };
      await tx.sessions.update(tenantId, sessionId, {
        ...patches.sessionPatch,
        ...chatPatch,
        updatedAt: isUse(input) ? clock.now() : undefined,
      });
      const changed = await tx.sessions.get(tenantId, sessionId);
      if (changed?.rootSessionId && changesAny(chatPatch)) await tx.sessionBranches.changeChat(tenantId, changed.rootSessionId, chatPatch);
      if (branch === undefined) return changed;
      // A chat without branches has one session, which lists show anyway.
      if (!(await tx.sessionBranches.activate(tenantId, rootSessionId, branch, clock.now())) && branch !== rootSessionId) throw noBranch();
      return tx.sessions.get(tenantId, sessionId);
    });
    this.deps.sessionWatch.noteChange(tenantId);
    if (!session) throw noSession();
    return session;
  }

  private assertChoicesExist(tenantId: string, { agent, model, by: keyName }: NewSessionInput): void {
    if (agent !== undefined) this.deps.agents.assertAgentExists(agent, { tenantId, keyName });
    if (model !== undefined && model !== null) this.deps.models.assertModelExists(model);
  }

  /**
   * Creates a session with the same history, images, summary, plan and settings. Messages of a run that has not ended and of later runs are not copied. With
   * `through`, messages of runs after this ordinal are not copied either. A fork of somebody who does not see the agent has the default one. Rejects `not_found`, also when the session is deleted before all is copied.
   */
  async forkSession(tenantId: string, sessionId: string, input: ForkInput, once = new OncePerKey()): Promise<SessionRecord> {
    const source = await this.getSession(tenantId, sessionId);
    // A fork is a chat of its own, so whoever forks must see the agent. A branch belongs to the chat.
    const keepsAgent = input.branch !== undefined || this.deps.agents.has(source.agent, { tenantId, keyName: input.by });
    const copyId = await forkSession(this.deps, keepsAgent ? source : { ...source, agent: 'default' }, input, once);
    if (copyId === undefined) throw noSession();
    this.deps.sessionWatch.noteChange(tenantId);
    return this.getSession(tenantId, copyId);
  }

  /**
   * Creates a branch: a session of the same chat with the messages before a run of `sessionId`. Its first run stands in the place of that run. Rejects
   * `not_found`, also for a run that the session does not have, and `session_busy` when a run before it has not ended.
   */
  async branchSession(tenantId: string, sessionId: string, beforeRunId: string, once = new OncePerKey()): Promise<SessionRecord> {
    const source = await this.getSession(tenantId, sessionId);
    const branch = await findBranchPoint(this.deps.store.read, source, beforeRunId);
    return this.forkSession(tenantId, sessionId, { branch, origin: source.origin }, once);
  }

  /** The projects of the tenant, with their number of chats. */
  listProjects(tenantId: string, viewer?: Viewer): Promise<{ name: string; sessions: number }[]> {
    return this.deps.store.lists.sessionBranches.projects(tenantId, viewer);
  }

  /** Lists the sessions of the session's chat, oldest first: the first session and its branches. Rejects `not_found`. */
  async listBranches(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ChatSession>> {
    const { rootSessionId = sessionId } = await this.getSession(tenantId, sessionId);
    return this.deps.store.lists.sessionBranches.sessions(tenantId, rootSessionId, page);
  }

  /** Lists the runs that stand in the same place of different branches of the session's chat. Rejects `not_found`. */
  async listBranchPlaces(tenantId: string, sessionId: string): Promise<RunsOfPlace[]> {
    const { rootSessionId } = await this.getSession(tenantId, sessionId);
    return rootSessionId === undefined ? [] : groupByPlace(await this.deps.store.lists.sessionBranches.list(tenantId, rootSessionId));
  }

  /**
   * Cancels the runs of the session, then deletes it with its runs, messages, images, events, questions, plan, long results and child sessions, and the
   * other branches of its chat.
   */
  async deleteSession(actor: Actor, sessionId: string): Promise<void> {
    const { tenantId } = actor;
    const { rootSessionId } = await this.getSession(tenantId, sessionId);
    const chatSessionIds =
      rootSessionId === undefined ? [] : await this.deps.store.read.sessionBranches.sessionIds(tenantId, rootSessionId);
    // The session itself last, so that after a crash in between the chat can be deleted again.
    for (const id of chatSessionIds.filter(other => other !== sessionId)) await this.purgeSession(tenantId, id, actor);
    await this.purgeSession(tenantId, sessionId, actor);
  }

  /** As deleteSession. `by`: who asked; absent when the gateway itself deletes what it kept for a while. */
  async purgeSession(tenantId: string, sessionId: string, by?: Actor): Promise<void> {
    // Children first, so that after a crash in between the session can be deleted again.
    await this.deps.cancelRuns(tenantId, sessionId);
    for (const childId of await this.deps.store.read.sessions.childIds(tenantId, sessionId)) await this.removeSession(tenantId, childId);
    await this.removeSession(tenantId, sessionId, by);
    this.deps.onDelete();
    this.deps.sessionWatch.noteChange(tenantId);
  }

  private async removeSession(tenantId: string, sessionId: string, by?: Actor): Promise<void> {
    await this.deps.cancelRuns(tenantId, sessionId);
    // Delete the files first, so that after a crash in between the session can be deleted again.
    await this.deps.results.removeResults({ tenantId, sessionId });
    await this.deps.undo.forgetSession(tenantId, sessionId);
    try {
      await this.removeRows(tenantId, sessionId, by);
    } finally {
      // Forget the cached history even when only a part of the session could be deleted: the next turn must not see the deleted part.
      this.deps.histories.removeSession(tenantId, sessionId);
    }
  }

  private async removeRows(tenantId: string, sessionId: string, by?: Actor): Promise<void> {
    const { store, auditLog } = this.deps;
    const deletePart = (tx: StoreTransaction, size: number) => tx.sessions.deletePart(tenantId, sessionId, size);
    await workInParts(this.deps, { session: { tenantId, sessionId } }, { first: 200, most: 2_000 }, deletePart);
    // Deleting the parts of a long session takes so long that a run can start in between. Its callers wait for an end.
    await this.deps.cancelRuns(tenantId, sessionId);
    await store.transaction({ session: { tenantId, sessionId } }, async tx => {
      const isDeleted = await tx.sessions.delete(tenantId, sessionId);
      if (isDeleted && by) await auditLog.record({ ...byActor(by), action: 'session.delete', target: sessionId }, tx);
    });
  }

  /** Reads everything about a session; the export is in the audit log before the first item. Rejects `not_found`. */
  async exportSession(actor: Actor, sessionId: string): Promise<AsyncIterable<ExportedItem>> {
    const { store, auditLog } = this.deps;
    const session = await this.getSession(actor.tenantId, sessionId);
    await auditLog.record({ ...byActor(actor), action: 'session.export', target: sessionId });
    return exportSession(store.lists, session);
  }

  /** As exportSession, for all data of the caller's tenant in the database but the sessions that `viewer` does not see. */
  async exportTenant(actor: Actor, viewer?: Viewer): Promise<AsyncIterable<ExportedItem>> {
    const { store, auditLog, sessionAccess, exportSources: sources } = this.deps;
    const { tenantId } = actor;
    await auditLog.record({ ...byActor(actor), action: 'data.export', target: tenantId });
    return exportTenant(store.lists, tenantId, { sources, viewer, sees: sessionAccess.lookOf(tenantId, viewer) });
  }

  /** Lists messages of a session, oldest first by default. Rejects `not_found`. */
  async listMessages(tenantId: string, sessionId: string, page: PageRequest, order?: MessageOrder): Promise<Page<MessageRecord>> {
    await this.getSession(tenantId, sessionId);
    return this.deps.store.lists.messages.list(tenantId, sessionId, page, order);
  }
}

const noBranch = (): AppError =>
  new AppError('not_found', { param: '/branch', message: 'The chat has no such branch.', messageZh: '对话中没有这个分支。' });

/** Creates the error for a session that does not exist. */
export const noSession = (): AppError =>
  new AppError('not_found', { param: '/sessionId', message: 'There is no such session.', messageZh: '没有这个会话。' });
