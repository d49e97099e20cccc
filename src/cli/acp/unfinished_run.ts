/** The run that a session was executing when its editor left, for the editor that opens the session again. */
import type { NetaClient } from '../../../clients/typescript/src/client';
import type { Run } from '../../../clients/typescript/src/run';
import type { RunEvent } from '../../../clients/typescript/src/types';

export interface UnfinishedRun {
  run: Run;
  /** The messages that began the run were stored at this time; its log has those that followed. */
  createdAt: string;
  /** Seq of the last event that was stored when the run was found. */
  lastSeq: number;
}

/** A session has one active run and this many queued ones at most. */
const MOST_UNFINISHED = 33;
/** The active run comes before those that wait for it. */
const STATUSES = ['waiting', 'running', 'queued'] as const;

/** Asks once, because a run may begin to wait between two questions. */
export async function findUnfinishedRun(client: NetaClient, sessionId: string): Promise<UnfinishedRun | undefined> {
  const { data } = await client.request('get', '/api/v1/runs', { query: { sessionId, limit: MOST_UNFINISHED } });
  const found = STATUSES.map(status => data.findLast(run => run.status === status)).find(run => run !== undefined);
  return found && { run: client.openRun(found.runId), createdAt: found.createdAt, lastSeq: found.lastSeq };
}

/** Finds the questions from before the editor came back that are open, to ask them again. */
export class EarlierEvents {
  /** Questions without an answer so far, by their id. */
  private readonly open = new Map<string, RunEvent>();
  private isOver = false;

  /** `lastSeq`: the last event from before the editor came back. */
  constructor(private readonly lastSeq: number) {}

  /** Takes the next event, and returns the events that may ask the person something now. */
  read(event: RunEvent): RunEvent[] {
    if (this.isOver) return [event];
    if (event.type === 'approval_request' || event.type === 'clarify_request') this.open.set(event.data.requestId, event);
    if (event.type === 'approval_end' || event.type === 'clarify_end') this.open.delete(event.data.requestId);
    if ((event.seq ?? 0) < this.lastSeq) return [];
    this.isOver = true;
    return (event.seq ?? 0) === this.lastSeq ? [...this.open.values()] : [...this.open.values(), event];
  }
}
