/** Runs that stand in the place of an earlier run of a chat: a message that a person has edited, or another answer to the same message. */
import { AppError, invalidField } from '../../errors';
import type { Clock } from '../../port/clock';
import type { FileInput, ImageInput } from '../../port/image_input';
import type { FileReference, ImageReference } from '../../port/llm';
import type { MessageRecord } from '../../port/store/messages';
import type { ReadableStore } from '../../port/store/store';
import { OncePerKey } from '../once_per_key';
import type { SessionService } from '../session/session_service';
import { findEarlierRun } from './earlier_run';
import type { RequestKey, StartRequest } from './start_request';

/** The earlier run, by its id or by the message with which it began. `field`: the field of the request that names it, for errors. */
export type ReplacedRun = { field: string } & ({ runId: string } | { messageId: string });

interface BranchRunsDeps {
  store: ReadableStore<'idempotencyKeys' | 'messages' | 'runs'>;
  clock: Clock;
  sessions: Pick<SessionService, 'branchSession' | 'purgeSession'>;
  images: {
    copyImages(tenantId: string, sessionId: string, references: readonly ImageReference[]): Promise<ImageInput[]>;
    copyFiles(tenantId: string, sessionId: string, references: readonly FileReference[]): Promise<FileInput[]>;
  };
}

/** The message with which a run began, and its text. */
interface Beginning {
  message: MessageRecord;
  text: string;
}

export class BranchRuns {
  constructor(private readonly deps: BranchRunsDeps) {}

  /**
   * Makes a branch of the chat before the earlier run, and calls `start` with the request for the first run of the branch. An empty text stands for the
   * text of the earlier message, absent images and files for its own. A request that repeats an earlier one makes no branch. Deletes the branch again when the
   * run is refused. Rejects like `start`, and `not_found`, `invalid_request` for a message with which no run began, and `session_busy` when a run before
   * the earlier one has not ended.
   */
  async startBranch<T>(request: StartRequest, replaced: ReplacedRun, start: (request: StartRequest) => Promise<T>): Promise<T> {
    const { store, clock, sessions, images } = this.deps;
    const { tenantId, idempotency } = request;
    const repeated = await findEarlierRun(store.read, request, clock.now());
    if (repeated) return start({ ...request, text: repeated.input, sessionId: repeated.sessionId });
    const { message, text } = await this.findBeginning(request, replaced);
    const { images: sent, files, foreign } = message.message.role === 'user' ? message.message : {};
    const branch = {
      text: request.text || text,
      // An edited message may still hold the texts of strangers.
      foreign,
      images: request.images ?? (sent && (await images.copyImages(tenantId, message.sessionId, sent))),
      files: request.files ?? (files && (await images.copyFiles(tenantId, message.sessionId, files))),
    };
    const once = onceFor(idempotency);
    const { id: sessionId } = await sessions.branchSession(tenantId, message.sessionId, message.runId, once);
    try {
      return await start({ ...request, ...branch, sessionId });
    } catch (error) {
      // A branch that is left behind does no harm, so the caller hears why the run was refused.
      if (once.replayedId === undefined) await this.removeUnused(tenantId, sessionId).catch(() => undefined);
      throw error;
    }
  }

  /** Deletes the branch, unless its run was stored before `start` failed. */
  private async removeUnused(tenantId: string, sessionId: string): Promise<void> {
    const { store, sessions } = this.deps;
    const runs = await store.read.runs.statesAfter(tenantId, sessionId, 0);
    if (runs.length === 0) await sessions.purgeSession(tenantId, sessionId);
  }

  private async findBeginning({ tenantId, sessionId }: StartRequest, replaced: ReplacedRun): Promise<Beginning> {
    const { messages, runs } = this.deps.store.read;
    const { field } = replaced;
    const named = 'messageId' in replaced ? await messages.get(tenantId, replaced.messageId) : undefined;
    const runId = 'runId' in replaced ? replaced.runId : named?.runId;
    const run = runId === undefined ? undefined : await runs.get(tenantId, runId);
    const inSession = named?.sessionId ?? sessionId ?? run?.sessionId;
    if (runId === undefined || inSession === undefined || (sessionId ?? inSession) !== inSession) throw notFound(field);
    const message = await messages.beginningOf(tenantId, inSession, runId);
    if (!message) throw notFound(field);
    if (message.message.role !== 'user' || (named && named.id !== message.id)) throw beganNoRun(field);
    return { message, text: run?.input ?? message.message.content };
  }
}

/** A retry without a key of its own is found by its run alone, because the same request may ask for a second branch later. */
const onceFor = (key: RequestKey | undefined): OncePerKey =>
  new OncePerKey(key && !key.retry ? { key: `branch:${key.key}`, fingerprint: key.fingerprint } : undefined);

const notFound = (param: string): AppError =>
  new AppError('not_found', {
    param,
    message: `${param}: there is no such message or run in the chat.`,
    messageZh: `${param}：对话中没有这条消息或这次运行。`,
  });

const beganNoRun = (param: string): AppError =>
  invalidField(param, 'must name a message of a person with which a run began.', '必须指向使一次运行开始的用户消息。');
