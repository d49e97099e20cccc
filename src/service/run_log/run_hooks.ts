/**
 * The moments of a run that other parts, such as webhooks and budgets, listen to. The run knows none of these parts: each part names the moments that
 * it listens to. The parts are told in the order of src/run_listeners.ts, then in the order of src/features.ts.
 */
import type { RunEvent, TerminalStatus } from '../../port/run_event';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunOutcome, RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { RunSpending } from '../../runtime/run_spending';

/** `now`: milliseconds since 1970. */
export interface RunEnd {
  status: TerminalStatus;
  error: RunOutcome['error'];
  now: number;
}

type Listeners = { [Moment in keyof RunListener]-?: NonNullable<RunListener[Moment]>[] };

/** One part that listens to runs. No method may throw, except those that write. */
export interface RunListener {
  /** The run executes in this process from now on. */
  opened?: (run: RunRecord, spending: RunSpending) => void;
  /** Gets each event of a run once, when the event gets its number. Called for each delta, so it must be quick. `at`: milliseconds since 1970. */
  numbered?: (run: RunRecord, events: readonly { event: RunEvent }[], at: number) => void;
  /** Writes more in the transaction which stores that the run waits for a person. A retried transaction calls it again. */
  waiting?: (tx: StoreTransaction, run: RunRecord) => Promise<void>;
  /** Writes more in the transaction that stores a question of the run, after `waiting`. `isFirst`: the run begins to wait with this question. */
  asked?: (tx: StoreTransaction, run: RunRecord, asked: { question: QuestionRecord; isFirst: boolean }) => Promise<void>;
  /** Writes more in the transaction that passes an approval on. `to`: see approval_address.ts. */
  escalated?: (tx: StoreTransaction, run: RunRecord, escalated: { question: QuestionRecord; to: string }) => Promise<void>;
  /** Writes more in the transaction that stores the end of the run. Returns undefined when there is nothing to write. */
  ending?: (tx: StoreTransaction, run: RunRecord, end: RunEnd) => Promise<void> | undefined;
  /** A transaction in which `waiting`, `asked`, `escalated` or `ending` wrote is committed. */
  committed?: () => void;
  /** The end of a run that executed in this process is stored. */
  ended?: () => void;
  /** The run does not execute in this process any more; another process may continue it. */
  closed?: (run: RunRecord) => void;
}

/** The listeners of each moment, in the order in which they are told. Sorted when a listener is added, so that telling them costs no search. */
export class RunHooks implements Readonly<Listeners> {
  readonly opened: Listeners['opened'] = [];
  readonly numbered: Listeners['numbered'] = [];
  readonly waiting: Listeners['waiting'] = [];
  readonly asked: Listeners['asked'] = [];
  readonly escalated: Listeners['escalated'] = [];
  readonly ending: Listeners['ending'] = [];
  readonly committed: Listeners['committed'] = [];
  readonly ended: Listeners['ended'] = [];
  readonly closed: Listeners['closed'] = [];

  constructor(listeners: readonly RunListener[] = []) {
    for (const listener of listeners) this.add(listener);
  }

  /** Adds a part, which is told after the parts that were added before. Call it before the first run. */
  add({ opened, numbered, waiting, asked, escalated, ending, committed, ended, closed }: RunListener): void {
    if (opened) this.opened.push(opened);
    if (numbered) this.numbered.push(numbered);
    if (waiting) this.waiting.push(waiting);
    if (asked) this.asked.push(asked);
    if (escalated) this.escalated.push(escalated);
    if (ending) this.ending.push(ending);
    if (committed) this.committed.push(committed);
    if (ended) this.ended.push(ended);
    if (closed) this.closed.push(closed);
  }
}
