/** Compares the requests of a replay with those of the recorded run. */
import type { LlmRequest } from '../../../port/llm';
import { requestHash, toolsHash } from '../record/request_hash';
import type { RecordedRun } from '../store/recorded_run';

export const REQUEST_PARTS = ['prompt', 'tools', 'messages'] as const;
export type RequestPart = (typeof REQUEST_PARTS)[number];

/** unrecorded: the run has no hash of this request. */
export interface ReplayedRequest {
  state: 'same' | 'changed' | 'unrecorded';
  /** What differs. `messages` stands for messages and parameters. */
  changed?: RequestPart[];
}

export class ReplayedRequests {
  readonly list: ReplayedRequest[] = [];
  /** The system prompt of the first request. */
  prompt: string | undefined;
  /** The parts of the first request that differ. */
  private readonly changedParts = new Set<RequestPart>();

  constructor(private readonly run: RecordedRun) {}

  /** `recorded`: the hash of the recorded request. */
  addRequest(request: LlmRequest, recorded: string | undefined): void {
    if (this.prompt === undefined) this.compareFirst(request);
    if (recorded === undefined) this.list.push({ state: 'unrecorded' });
    else if (recorded === requestHash(request)) this.list.push({ state: 'same' });
    else this.list.push({ state: 'changed', changed: this.changedParts.size > 0 ? [...this.changedParts] : ['messages'] });
  }

  private compareFirst({ messages: [first], tools }: LlmRequest): void {
    const { prompt, tools: recorded } = this.run;
    this.prompt = first?.role === 'system' ? first.content : '';
    if (prompt && prompt.stable + prompt.rest !== this.prompt) this.changedParts.add('prompt');
    if (recorded && toolsHash(recorded) !== toolsHash(tools)) this.changedParts.add('tools');
  }
}
