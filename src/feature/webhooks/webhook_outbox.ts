/**
 * Stores a delivery for each webhook that wants an event, in the transaction of the event itself: everything that happened is announced, and nothing
 * else. Events of runs look for their webhooks in that transaction: a list in memory may be older than a webhook of another gateway.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import type { TerminalStatus } from '../../port/run_event';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore, StoreTransaction } from '../../port/store/store';
import type { TraceContext } from '../../port/trace_context';
import type { WebhookEvent } from '../../port/webhook_sender';
import type { SessionAccess } from '../../service/access/session_access';
import type { KeyRing } from '../../service/auth/key_ring';
import type { LoginNotice } from '../../service/auth/login_notice';
import type { QuestionAccess } from '../../service/question/question_access';
import { toIsoTime } from '../../utils/iso_time';
import type { WebhookRecord } from './store/webhook_records';

const EVENT_OF: Record<TerminalStatus, WebhookEvent> = {
  completed: 'run.completed',
  incomplete: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
};

type WebhookTransaction = Pick<StoreTransaction, 'webhooks' | 'sessions' | 'sessionMembers'>;

/** An event that webhooks may want. `runId`, `sessionId` and `trace`: those of its run. */
interface AnnouncedEvent {
  tenantId: string;
  type: WebhookEvent;
  runId?: string;
  sessionId?: string;
  /** Whoever is asked this question hears of the event without seeing the session. `onlyAsked`: the others have heard of it before. */
  question?: QuestionRecord;
  onlyAsked?: boolean;
  /** The handle of the person whom the event is about: the person and admins alone hear of it. */
  person?: string;
  trace?: TraceContext | undefined;
}

export interface WebhookOutboxDeps {
  store: ReadableStore<'webhooks'>;
  clock: Clock;
  ids: IdSource;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
  sessionAccess: Pick<SessionAccess, 'maySee'>;
  questionAccess: Pick<QuestionAccess, 'isAsked'>;
  keyRing: Pick<KeyRing, 'callersOf'>;
}

export class WebhookOutbox {
  /** Those that hear of all runs. Undefined until they were read. */
  private webhooks: readonly WebhookRecord[] | undefined;
  private hasNews = false;
  /** Is called when deliveries are committed. */
  onNews = (): void => {};

  constructor(private readonly deps: WebhookOutboxDeps) {
    // The dispatcher reads them every few seconds in any case.
    const readAgain = () => void this.readWebhooks().catch(() => {});
    deps.nodeBus.subscribe('webhooks', readAgain);
    deps.nodeBus.onLoss(readAgain);
  }

  /** Reads what this gateway has just changed, and tells the other nodes. */
  async applyChange(): Promise<void> {
    this.deps.nodeBus.publish('webhooks', {});
    await this.readWebhooks();
  }

  /** Reads the webhooks again, because other processes may have changed them. */
  async refresh(): Promise<void> {
    await this.readWebhooks();
  }

  /**
   * Resolves true when a webhook of the tenant gets such events. Executes no statement, except when the dispatcher has not read the webhooks since the
   * start, so a webhook of the last ten seconds may be missed.
   */
  async isWanted(tenantId: string, type: WebhookEvent): Promise<boolean> {
    const webhooks = this.webhooks ?? (await this.readWebhooks());
    return webhooks.some(webhook => wants(webhook, { tenantId, type }));
  }

  /** Announces the end of a run. A member of a crew is a part of another run and announces nothing. */
  async addEnd(
    tx: WebhookTransaction,
    { tenantId, id: runId, sessionId, parent, trace }: RunRecord,
    status: TerminalStatus,
  ): Promise<void> {
    if (parent) return;
    const held = await this.add(tx, { tenantId, type: EVENT_OF[status], trace, runId, sessionId }, { runId, sessionId, status });
    if (held.some(webhook => webhook.runId !== undefined)) await tx.webhooks.endRun(tenantId, runId, this.deps.clock.now());
  }

  /** Announces that a run waits for a person. A crew member's run is announced in the name of its master, whose log shows the question. */
  async addWait(tx: StoreTransaction, run: RunRecord): Promise<void> {
    const { tenantId, trace } = run;
    const { runId, sessionId } = shownRunOf(run);
    await this.add(tx, { tenantId, type: 'run.waiting', trace, runId, sessionId }, { runId, sessionId, status: 'waiting' });
  }

  /** Announces a question to those whom it asks and who do not see its session. */
  async addQuestion(tx: StoreTransaction, run: RunRecord, question: QuestionRecord): Promise<void> {
    if (question.askedTo === undefined) return;
    const { runId, sessionId } = shownRunOf(run);
    const event = { tenantId: run.tenantId, type: 'run.waiting' as const, trace: run.trace, runId, sessionId, question, onlyAsked: true };
    const status = question.mode === 'text' ? 'completed' : 'waiting';
    await this.add(tx, event, { runId, sessionId, status, requestId: question.id });
  }

  /** Announces that a question was passed on to somebody. */
  async addEscalation(tx: StoreTransaction, run: RunRecord, { question, to }: { question: QuestionRecord; to: string }): Promise<void> {
    const { runId, sessionId } = shownRunOf(run);
    const data = { runId, sessionId, status: 'waiting', requestId: question.id, escalatedTo: to };
    await this.add(tx, { tenantId: run.tenantId, type: 'run.waiting', trace: run.trace, runId, sessionId, question }, data);
  }

  /** Announces an unusual sign-in of a person, or a change of the ways to log in. */
  async addLoginNotice(tx: StoreTransaction, { kind, tenantId, person, at, way, name, from, by }: LoginNotice): Promise<void> {
    // It concerns the person alone: no sign-in happened, and nothing changed.
    if (kind === 'code_reused') return;
    const type = kind === 'unusual_sign_in' ? 'login.unusual' : 'login.changed';
    const what = type === 'login.unusual' ? { way } : { change: kind, name, by };
    await this.add(tx, { tenantId, type, person }, { person, at: toIsoTime(at), ...what, ...from });
  }

  /** Resolves with the webhooks of the tenant, and those of the run. */
  async add(tx: WebhookTransaction, event: AnnouncedEvent, data: object): Promise<readonly WebhookRecord[]> {
    const { tenantId, type, trace, runId } = event;
    // Hold them: a delivery to a webhook that another process deletes could not be stored, and would undo the event itself.
    const held = await tx.webhooks.hold(tenantId, runId);
    const asked = held.filter(webhook => wants(webhook, event));
    if (asked.length === 0) return held;
    const wanted = await this.keepSeen(tx, asked, event);
    if (wanted.length === 0) return held;
    const now = this.deps.clock.now();
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
    const shared = {
      tenantId,
      type,
      body,
      status: 'pending' as const,
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      trace,
    };
    await tx.webhooks.insertDeliveries(wanted.map(({ id: webhookId }) => ({ ...shared, id: this.deps.ids.next('dlv'), webhookId })));
    this.hasNews = true;
    return held;
  }

  /**
   * Keeps the webhooks whose maker sees the session or is asked: a person, or a key, which sees the sessions of its tenant. A webhook of a run hears of
   * that run.
   */
  private async keepSeen(
    tx: WebhookTransaction,
    webhooks: readonly WebhookRecord[],
    { tenantId, sessionId, question, onlyAsked, person }: AnnouncedEvent,
  ): Promise<readonly WebhookRecord[]> {
    if (person !== undefined) return webhooks.filter(({ madeBy }) => this.isAbout(tenantId, madeBy, person));
    if (sessionId === undefined) return webhooks;
    const { sessionAccess, questionAccess } = this.deps;
    const kept: WebhookRecord[] = [];
    for (const webhook of webhooks) {
      const maker = { tenantId, keyName: webhook.madeBy };
      const isSeen = webhook.runId !== undefined || (await sessionAccess.maySee(maker, sessionId, tx));
      const isAsked = !isSeen && question !== undefined && questionAccess.isAsked(maker, question);
      if (onlyAsked ? isAsked : isSeen || isAsked) kept.push(webhook);
    }
    return kept;
  }

  /** True when the maker of a webhook is the person, by a login or by a key, or an admin of the tenant. */
  private isAbout(tenantId: string, madeBy: string | undefined, person: string): boolean {
    const maker = this.deps.keyRing.callersOf(tenantId).find(({ keyName }) => keyName === madeBy);
    return maker !== undefined && (maker.keyName === person || maker.owner === person || maker.scopes.has('admin'));
  }

  private async readWebhooks(): Promise<readonly WebhookRecord[]> {
    const webhooks = await this.deps.store.read.webhooks.all();
    this.webhooks = webhooks;
    return webhooks;
  }

  /** Sends the stored deliveries. Call it after the transaction. */
  flush(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    this.onNews();
  }
}

/** A question of a crew member is shown in the run of its master. */
const shownRunOf = ({ id: runId, sessionId, parent }: RunRecord) => (parent ? parent : { runId, sessionId });

function wants({ events, disabledReason, ...webhook }: WebhookRecord, { tenantId, type, runId }: AnnouncedEvent): boolean {
  if (webhook.tenantId !== tenantId || disabledReason !== undefined || webhook.runEndedAt !== undefined) return false;
  return events.includes(type) && (webhook.runId === undefined || webhook.runId === runId);
}
