/**
 * The beginning of a run in the transaction that accepts it: the first model call is sent before the transaction is committed, so the model works
 * while the disk does. The model's answer counts only once the run is stored.
 */
import type { LlmAnswer, LlmPort, LlmRequest, LlmSink } from '../../port/llm';
import type { AgentOutcome } from '../../runtime/agent';
import type { RunHandle } from './run_handle';
import type { RunTurn } from './run_turn';

export interface BegunRun {
  handle: RunHandle;
  turn: RunTurn;
  outcome: Promise<AgentOutcome>;
  /** Lets the answer of the model count. Call it once the run is stored. */
  accept(): void;
  /** Closes the connection to the model and removes every trace of the run. Call it when the run was not stored. */
  discard(): void;
}

/** Holds back the answers of a model, failed calls too, until `accepted` resolves. When `accepted` rejects, calls reject with its reason. */
export function holdAnswers(llm: LlmPort, accepted: Promise<void>): LlmPort {
  let isAccepted = false;
  const settled = accepted.then(() => {
    isAccepted = true;
  });
  settled.catch(() => {});
  const streamHeld = async (request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> => {
    const held: (() => void)[] = [];
    let isHolding = true;
    const pass = (deliver: () => void) => void (isHolding ? held.push(deliver) : deliver());
    const holdingSink: LlmSink = {
      onText: text => pass(() => sink.onText(text)),
      onReasoning: text => pass(() => sink.onReasoning(text)),
      onFallback: change => pass(() => sink.onFallback?.(change)),
    };
    const answer = llm.stream(request, holdingSink);
    answer.catch(() => {});
    await settled;
    for (const deliver of held) deliver();
    isHolding = false;
    return answer;
  };
  return {
    info: llm.info,
    stream: (request, sink) => (isAccepted ? llm.stream(request, sink) : streamHeld(request, sink)),
  };
}
