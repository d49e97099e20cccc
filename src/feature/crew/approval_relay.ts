/** Shows the approvals of a child run in the log of its parent, where people follow the work. */
import type { EventBus } from '../../port/event_bus';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { updateOf } from '../../service/question/approval_reviews';
import { endEvent, givenAnswer, toApprovalData } from '../../service/question/question_events';
import { type RunTurn, waitForPerson } from '../../service/run/run_turn';
import type { RemoteRunPoller } from '../../service/run_log/remote_run_poller';
import type { ClarifyOutcome } from '../../tools/question';

export interface ApprovalRelayDeps {
  store: Store;
  bus: EventBus;
  remoteRuns: RemoteRunPoller;
}

/** The most approvals of one child run that are read at once; runs of a few minutes ask for far fewer. */
const MAX_APPROVALS = 200;

export class ApprovalRelay {
  private readonly stops: (() => void)[] = [];
  private pass: Promise<void> = Promise.resolve();
  /** Open approval -> function that ends the wait of the parent. The parent's time limit does not run during the wait, like the child's. */
  private readonly waits = new Map<string, () => void>();
  /** Open approval -> its last update in the log of the parent. */
  private readonly shown = new Map<string, string>();

  constructor(
    private readonly deps: ApprovalRelayDeps,
    private readonly turn: RunTurn,
    private readonly child: RunRecord,
  ) {}

  /** Writes missing events to the log of the parent, then follows each approval that the child run asks for or gets decided. */
  async start(): Promise<void> {
    const { bus, remoteRuns } = this.deps;
    const subscription = await bus.subscribe(this.child.sessionId, {
      events: events => {
        if (events.some(({ type }) => type === 'approval_request' || type === 'approval_update' || type === 'approval_end'))
          this.schedule();
      },
      missed: () => this.schedule(),
    });
    this.stops.push(
      subscription.stop,
      remoteRuns.watch(this.child, () => this.schedule()),
    );
    // A new child run has asked nothing yet.
    if (this.turn.resumed) this.schedule();
  }

  /** Ends the relay after its last pass. Never rejects. */
  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.pass;
    for (const id of [...this.waits.keys()]) this.endWait(id);
  }

  private schedule(): void {
    // A pass that fails is repeated by the next event; the question itself is stored and can be answered over REST.
    this.pass = this.pass.then(() => this.relay()).catch(() => {});
  }

  private async relay(): Promise<void> {
    const { tenantId, id: runId } = this.child;
    const page = await this.deps.store.read.questions.list(tenantId, { kind: 'approval', runId }, { limit: MAX_APPROVALS });
    for (const question of page.data) this.relayOne(question);
  }

  private relayOne(question: QuestionRecord): void {
    const { children, writer } = this.turn;
    const { id, approval, status } = question;
    if (!approval || children.isClosed || writer.isClosed) return;
    if (!children.asked.has(id)) {
      children.asked.add(id);
      const { id: childRunId, sessionId: childSessionId } = this.child;
      writer.append({ type: 'approval_request', data: { ...toApprovalData(question, approval), childRunId, childSessionId } });
    }
    if (status === 'pending') this.beginWait(id);
    else this.endWait(id);
    if (status === 'pending') this.relayUpdate(question);
    if (status === 'pending' || children.decided.has(id)) return;
    children.decided.add(id);
    const outcome: ClarifyOutcome = status === 'answered' ? { status, ...givenAnswer(question) } : { status };
    writer.append(endEvent(question, outcome));
  }

  private relayUpdate(question: QuestionRecord): void {
    const { id: requestId, approval, approvals = [], escalatedAt } = question;
    if (!approval?.review || (approvals.length === 0 && escalatedAt === undefined)) return;
    const data = updateOf(question, approval.review);
    const text = JSON.stringify(data);
    if (this.shown.get(requestId) === text) return;
    this.shown.set(requestId, text);
    this.turn.writer.append({ type: 'approval_update', data });
  }

  private beginWait(id: string): void {
    if (this.waits.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waits.set(id, resolve);
    void waitForPerson(this.turn, () => promise);
  }

  private endWait(id: string): void {
    this.waits.get(id)?.();
    this.waits.delete(id);
  }
}
