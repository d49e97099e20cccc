/** The run that a session was executing when its editor left, for the editor that opens the session again. */
import type { NetaClient } from '../../../clients/typescript/src/client';
import type { Run } from '../../../clients/typescript/src/run';
import type { RunEvent } from '../../../clients/typescript/src/types';

export interface UnfinishedRun {
  run: Run;
  earlier: EarlierEvents;
}

export async function findUnfinishedRun(client: NetaClient, sessionId: string): Promise<UnfinishedRun | undefined> {
  for (const status of ['waiting', 'running'] as const) {
    const { data } = await client.request('get', '/api/v1/runs', { query: { sessionId, status, limit: 1 } });
    const [found] = data;
    if (found) return { run: client.openRun(found.runId), earlier: new EarlierEvents(found.lastSeq) };
  }
  return undefined;
}

/** Separates the events from before the editor came back. They are not shown again, but their open questions are asked again. */
export class EarlierEvents {
  /** Questions without an answer so far, by their id. */
  private readonly open = new Map<string, RunEvent>();
  private isOver = false;

  /** `lastSeq`: the last event that the messages of the session include. */
  constructor(private readonly lastSeq: number) {}

  includes({ seq = 0 }: RunEvent): boolean {
    return seq <= this.lastSeq;
  }

  /** Takes the next event, and returns the events that may ask the person something now. */
  read(event: RunEvent): RunEvent[] {
    if (this.isOver) return [event];
    if (event.type === 'approval_request' || event.type === 'clarify_request') this.open.set(event.data.requestId, event);
    if (event.type === 'approval_end' || event.type === 'clarify_end') this.open.delete(event.data.requestId);
    if ((event.seq ?? 0) < this.lastSeq) return [];
    this.isOver = true;
    return this.includes(event) ? [...this.open.values()] : [...this.open.values(), event];
  }
}
