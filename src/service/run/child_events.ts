/** The events about child runs that the log of a run holds. A recovered run writes none of them twice. */
import type { RunEvent } from '../../port/run_event';

export interface ChildEvents {
  /** Ids of child runs with a `delegate_start` event, which is stored together with the child run. */
  readonly started: ReadonlySet<string>;
  /** Ids of child runs with a `delegate_end` event. */
  readonly ended: ReadonlySet<string>;
  /** Ids of approvals that the log announces, of the run itself and of child runs. */
  readonly asked: ReadonlySet<string>;
  /** Ids of approvals whose end the log announces. */
  readonly decided: ReadonlySet<string>;
}

/** The same ids while the run executes; the crew adds the ids of new events. */
export interface ChildJournal {
  readonly started: Set<string>;
  readonly ended: Set<string>;
  readonly asked: Set<string>;
  readonly decided: Set<string>;
  /** True when `run_end` is written next: no event about children may follow. */
  isClosed: boolean;
}

export const NO_CHILD_EVENTS: ChildEvents = { started: new Set(), ended: new Set(), asked: new Set(), decided: new Set() };

export function openChildJournal({ started, ended, asked, decided }: ChildEvents): ChildJournal {
  return { started: new Set(started), ended: new Set(ended), asked: new Set(asked), decided: new Set(decided), isClosed: false };
}

/** Adds up how long child runs waited for people, from the log of their parent. Waits that overlap count once. */
export class ChildWaits {
  private readonly open = new Set<string>();
  private startedAt = 0;
  private endedMs = 0;

  addEvent({ type, data, ts }: RunEvent): void {
    if (type === 'approval_request' && data.childRunId !== undefined) {
      if (this.open.size === 0) this.startedAt = Date.parse(ts);
      this.open.add(data.requestId);
    }
    if (type === 'approval_end' && this.open.delete(data.requestId) && this.open.size === 0)
      this.endedMs += Date.parse(ts) - this.startedAt;
  }

  /** Returns milliseconds; a wait that has not ended lasts until `now`. */
  totalMs(now: number): number {
    return this.endedMs + (this.open.size > 0 ? now - this.startedAt : 0);
  }
}
