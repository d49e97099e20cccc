/** What the owner of runs sees and does over REST, whichever door a run came from. Messages are unique. */
import type { PageBody, RestClient } from '../rest_client';
import { until } from '../until';

export interface RunRow {
  runId: string;
  sessionId: string;
  status: string;
  text: string;
}

export class OwnerView {
  constructor(private readonly rest: RestClient) {}

  /** Resolves with the runs of a message, whatever their state is. */
  async runsOf(message: string): Promise<RunRow[]> {
    const { body } = await this.rest.request<PageBody<RunRow & { input: string }>>('GET', '/runs?limit=1000');
    return body.data.filter(({ input }) => input === message);
  }

  /** Waits for the run of a message. */
  async runOf(message: string): Promise<RunRow> {
    const run = await until(async () => (await this.runsOf(message))[0]);
    if (!run) throw new Error(`no run has the message ${message}`);
    return run;
  }

  /** Waits until the run has ended. */
  async expectStatus(message: string, status: string): Promise<void> {
    const isOver = (run: RunRow) => !/queued|running|waiting/.test(run.status);
    expect((await until(() => this.runOf(message), isOver)).status).toBe(status);
  }

  /** Waits until the answer of the run has this text. */
  async untilText(message: string, text: string): Promise<void> {
    const { runId } = await this.runOf(message);
    const read = async () => (await this.rest.request<RunRow>('GET', `/runs/${runId}`)).body;
    await until(read, run => run.text?.includes(text));
  }

  async openQuestions(list: 'clarifications' | 'approvals', message: string): Promise<{ requestId: string }[]> {
    const { sessionId } = await this.runOf(message);
    const { body } = await this.rest.request<PageBody<{ requestId: string; sessionId: string }>>('GET', `/${list}?status=pending`);
    return body.data.filter(row => row.sessionId === sessionId);
  }

  /** Waits for the approval of the run, and decides it. */
  async decide(message: string, decision: 'allow' | 'deny'): Promise<void> {
    const open = await until(async () => (await this.openQuestions('approvals', message))[0]);
    const body = { decision: decision === 'allow' ? 'allow_once' : 'deny' };
    await this.rest.request('POST', `/approvals/${open?.requestId}`, body);
  }

  /** Returns true when a command has written the word into tally.txt. */
  async hasTallied(word: string): Promise<boolean> {
    const { body } = await this.rest.request<{ message: string }>('POST', '/tools/call', {
      toolName: 'read_file',
      parameters: { path: 'tally.txt' },
    });
    return body.message.includes(word);
  }

  /** Waits for the run, and cancels it. */
  async cancel(message: string): Promise<void> {
    await this.rest.request('POST', `/runs/${(await this.runOf(message)).runId}/cancel`, {});
  }
}
