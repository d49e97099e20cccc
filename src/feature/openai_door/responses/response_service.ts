/** Responses: runs that a program starts, finds by id, continues from any earlier response, and deletes. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Actor } from '../../../port/principal';
import { isTerminal } from '../../../port/run_event';
import type { MessageRecord } from '../../../port/store/messages';
import type { RunRecord } from '../../../port/store/runs';
import type { Store } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import { areCallsClosed, type GivenMessages } from '../../../service/run/given_messages';
import type { AcceptedRun, BeforeStart, StartRequest } from '../../../service/run/start_request';
import type { SessionService } from '../../../service/session/session_service';
import { conversationIsBusy } from '../conversations/new_messages';
import type { ResponseRecord } from './store/response_records';

/** Time in which a retry finds a response that is not kept. */
const UNKEPT_MS = 10 * 60_000;
const UNKEPT_ROWS = 500;

export interface ResponseServiceDeps {
  store: Store;
  clock: Clock;
  executor: AgentExecutor;
  sessions: SessionService;
  auditLog: AuditRecorder;
  onError: (message: string, thrown: unknown) => void;
}

/** The services of this feature, as its controllers inject them. */
export interface ResponseServices {
  responseService: ResponseService;
}

export interface NewResponse extends Pick<ResponseRecord, 'settings' | 'input' | 'isKept'> {
  start: StartRequest & { given: GivenMessages };
  /** The run that this response continues: that of another response, or the newest of the session of `start`. */
  previous?: RunRecord;
}

export interface FoundResponse {
  response: ResponseRecord;
  run: RunRecord;
}

const noResponse = (param = '/response_id'): AppError =>
  new AppError('not_found', { param, message: 'There is no such response.', messageZh: '没有这个响应。' });

export class ResponseService {
  private isDeletionScheduled = false;

  constructor(private readonly deps: ResponseServiceDeps) {}

  /**
   * Starts a response. One that names a session or continues the newest response of a session joins that session; any other gets a fork of the history up
   * to the previous response. Rejects `session_busy` while the previous response is in progress, and as AgentExecutor.start does.
   */
  async startResponse(request: NewResponse, beforeStart: BeforeStart): Promise<AcceptedRun> {
    const { previous, settings, input, isKept } = request;
    const { tenantId } = request.start;
    const createdAt = this.deps.clock.now();
    const start: StartRequest & { given: GivenMessages } = {
      ...request.start,
      alsoWrite: (tx, { id: runId, sessionId }) => tx.responses.insert({ tenantId, runId, sessionId, settings, input, isKept, createdAt }),
    };
    if (!isKept) this.scheduleDeletion();
    if (start.sessionId !== undefined) return this.startInSession(previous, start, beforeStart);
    if (!previous) return this.deps.executor.start(start, beforeStart);
    if (!isTerminal(previous.status)) {
      throw new AppError('session_busy', {
        param: '/previous_response_id',
        message: 'The previous response has not ended.',
        messageZh: '上一个响应还没有结束。',
      });
    }
    return this.continueFrom(previous, start, { isKept, beforeStart });
  }

  /** Of two simultaneous requests with results of the same calls, the second is refused. */
  private async startInSession(
    last: RunRecord | undefined,
    start: StartRequest & { given: GivenMessages },
    beforeStart: BeforeStart,
  ): Promise<AcceptedRun> {
    const hasResults = start.given.turn.some(({ role }) => role === 'tool');
    const given = hasResults ? { ...start.given, answersRun: last } : start.given;
    return this.deps.executor.start({ ...start, given }, beforeStart).catch(thrown => {
      throw areCallsClosed(thrown) ? conversationIsBusy('/conversation') : thrown;
    });
  }

  private async continueFrom(
    previous: RunRecord,
    start: StartRequest & { given: GivenMessages },
    { isKept, beforeStart }: { isKept: boolean; beforeStart: BeforeStart },
  ): Promise<AcceptedRun> {
    const { executor, sessions } = this.deps;
    const { tenantId, sessionId } = previous;
    // A response that is not kept gets a session of its own, which is deleted with it.
    if (isKept) {
      try {
        return await executor.start({ ...start, sessionId, given: { ...start.given, answersRun: previous } }, beforeStart);
      } catch (thrown) {
        const hasLaterRun = areCallsClosed(thrown) || (thrown instanceof AppError && thrown.code === 'session_busy');
        if (!hasLaterRun) throw thrown;
      }
    }
    const fork = await sessions.forkSession(tenantId, sessionId, {
      through: previous.ordinal,
      origin: { door: 'openai' },
      by: start.keyName,
    });
    const accepted = await executor.start({ ...start, sessionId: fork.id }, beforeStart).catch(async thrown => {
      await this.removeSession(tenantId, fork.id);
      throw thrown;
    });
    if (accepted.run.sessionId !== fork.id) await this.removeSession(tenantId, fork.id);
    return accepted;
  }

  /** Finds a response. Rejects `not_found`, also for another tenant's response and for one that is not kept. */
  async getResponse(tenantId: string, runId: string | undefined, param?: string): Promise<FoundResponse> {
    const { read } = this.deps.store;
    const response = runId === undefined ? undefined : await read.responses.get(tenantId, runId);
    const run = response?.isKept ? await read.runs.get(tenantId, response.runId) : undefined;
    if (!response || !run) throw noResponse(param);
    return { response, run };
  }

  /** The response of a run that this process has just started or found by a key, kept or not. */
  async getStartedResponse(run: RunRecord): Promise<ResponseRecord> {
    const response = await this.deps.store.read.responses.get(run.tenantId, run.id);
    if (!response) throw noResponse();
    return response;
  }

  listMessages({ tenantId, sessionId, ordinal }: RunRecord): Promise<MessageRecord[]> {
    return this.deps.store.read.messages.ofRun(tenantId, sessionId, ordinal);
  }

  /** Lists the messages of the conversation up to the end of a run. */
  async listMessagesThrough({ tenantId, sessionId, ordinal }: RunRecord): Promise<MessageRecord[]> {
    const messages = await this.deps.store.read.messages.history(tenantId, sessionId);
    return messages.filter(({ runOrdinal }) => runOrdinal <= ordinal);
  }

  /** Cancels and deletes a response; also its session, unless a person or another response uses the session. Rejects like getResponse. */
  async deleteResponse(actor: Actor, runId: string | undefined): Promise<void> {
    const { run } = await this.getResponse(actor.tenantId, runId);
    await this.deps.executor.cancel(actor.tenantId, run.id, actor);
    await this.remove(run, actor);
  }

  /** Deletes the ended responses of all tenants that are not kept, after the time in which a retry may ask for them. */
  async deleteUnkept(): Promise<void> {
    const { store, clock } = this.deps;
    const rows = await store.read.responses.unkept(clock.now() - UNKEPT_MS, UNKEPT_ROWS);
    for (const { tenantId, runId, sessionId } of rows) {
      const run = await store.read.runs.getState(tenantId, runId);
      if (!run || isTerminal(run.status)) await this.remove({ tenantId, id: runId, sessionId });
    }
    if (rows.length > 0) this.scheduleDeletion();
  }

  private async remove({ tenantId, id, sessionId }: Pick<RunRecord, 'tenantId' | 'id' | 'sessionId'>, by?: Actor): Promise<void> {
    const { store, auditLog } = this.deps;
    await store.transaction('none', async tx => {
      await tx.responses.delete(tenantId, id);
      if (by) await auditLog.record({ ...byActor(by), action: 'response.delete', target: id, details: { sessionId } }, tx);
    });
    const session = await store.read.sessions.get(tenantId, sessionId);
    const isOwn = session?.origin !== undefined && 'door' in session.origin;
    if (isOwn && (await store.read.responses.count(tenantId, sessionId)) === 0) await this.removeSession(tenantId, sessionId);
  }

  private removeSession(tenantId: string, sessionId: string): Promise<void> {
    return this.deps.sessions.purgeSession(tenantId, sessionId);
  }

  private scheduleDeletion(): void {
    if (this.isDeletionScheduled) return;
    this.isDeletionScheduled = true;
    this.deps.clock.after(UNKEPT_MS + 1_000, () => {
      this.isDeletionScheduled = false;
      this.deleteUnkept().catch(thrown => this.deps.onError('responses could not be deleted', thrown));
    });
  }
}
