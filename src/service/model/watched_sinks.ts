/** Sinks that pass an answer on and watch it. */
import type { LlmSink } from '../../port/llm';
import type { OpenWork } from '../../port/observer';

/** Calls `onFirst` before the first text, or before the first reasoning. */
export function watchFirst(sink: LlmSink, onFirst: () => void): LlmSink {
  let isFirst = true;
  const note = () => {
    if (isFirst) onFirst();
    isFirst = false;
  };
  return {
    onText(text) {
      note();
      sink.onText(text);
    },
    onReasoning(text) {
      note();
      sink.onReasoning(text);
    },
  };
}

/** Tells when the answer begins and when the request is sent again. */
export function observedSink(sink: LlmSink, work: OpenWork<'model_call'>): LlmSink {
  let hasBegun = false;
  const onFirstChunk = () => {
    if (!hasBegun) work.mark({ type: 'first_chunk' });
    hasBegun = true;
  };
  return {
    onFirstChunk,
    onRetry: code => work.mark({ type: 'retry', error: code }),
    onText(text) {
      onFirstChunk();
      sink.onText(text);
    },
    onReasoning(text) {
      onFirstChunk();
      sink.onReasoning(text);
    },
  };
}

/** `isShown`: text or reasoning has arrived. */
export function watchSink(sink: LlmSink): LlmSink & { isShown: boolean } {
  const watched = {
    ...sink,
    isShown: false,
    onText(text: string) {
      watched.isShown = true;
      sink.onText(text);
    },
    onReasoning(text: string) {
      watched.isShown = true;
      sink.onReasoning(text);
    },
  };
  return watched;
}
