/** A model that gives the recorded answers, in place of a model server. */
import { AppError, inOneLanguage } from '../../../errors';
import type { LlmAnswer, LlmPort, LlmRequest, LlmSink } from '../../../port/llm';
import { requestHash } from '../record/request_hash';
import type { RecordedAnswer, RecordedRun } from '../store/recorded_run';
import type { ReplayedRequests } from './replayed_requests';

/** Thrown when the loop asks the model more often than the recorded run did. */
export class RecordingEnded extends Error {
  constructor() {
    super('The replay asks the model more often than the run did.');
    this.name = 'RecordingEnded';
  }
}

export class RecordedModel implements LlmPort {
  readonly info = { provider: 'recording', model: 'recording', demo: false };
  private readonly left: RecordedAnswer[];

  constructor(
    private readonly run: RecordedRun,
    private readonly requests: ReplayedRequests,
  ) {
    this.left = [...run.answers];
  }

  /** Gives the answer to the same request, else the answer of the same step. */
  async stream(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    request.signal.throwIfAborted();
    const hash = requestHash(request);
    const same = this.left.findIndex(({ call }) => call?.request === hash);
    const [answer] = this.left.splice(Math.max(0, same), 1);
    this.requests.addRequest(request, answer?.call?.request);
    if (!answer) throw this.ending();
    const { message, call } = answer;
    if (message.content) sink.onText(message.content);
    return {
      message,
      reasoning: '',
      finishReason: call?.finishReason ?? (message.tool_calls?.length ? 'tool_calls' : 'stop'),
      usage: call?.usage,
      answeredBy: call?.answeredBy,
      toolsAside: call?.toolsAside,
    };
  }

  /** The call with which a failed run ended fails again. */
  private ending(): Error {
    const { error } = this.run.end;
    if (!error) return new RecordingEnded();
    return new AppError(error.code, inOneLanguage(error.message));
  }
}
