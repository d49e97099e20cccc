/** Keeps the events of a replay in memory: a replay writes nothing. */
import type { RunEventBody } from '../../../port/run_event';
import type { RunJournal } from '../../../runtime/journal';

export class ReplayJournal implements RunJournal {
  readonly events: RunEventBody[] = [];

  /** The whole text follows in an event of its own. */
  delta(): void {}

  append(body: RunEventBody): void {
    this.events.push(body);
  }

  async record(body: RunEventBody): Promise<void> {
    this.events.push(body);
  }
}
