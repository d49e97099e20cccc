import type { LlmAnswer, LlmPort, LlmRequest } from '../../../src/port/llm';
import { holdAnswers } from '../../../src/service/run/early_call';

const ANSWER: LlmAnswer = { message: { role: 'assistant', content: 'one two' }, reasoning: '', finishReason: 'stop' };
const INFO = { provider: 'test', model: 'test', demo: true };

function createRequest(): LlmRequest {
  return { messages: [], tools: [], thinkingLevel: 'off', signal: new AbortController().signal };
}

/** A model that says one word at once and the other when `goOn` is called. */
function createModel() {
  const { promise: gone, resolve: goOn } = Promise.withResolvers<void>();
  const llm: LlmPort = {
    info: INFO,
    async stream(_request, sink) {
      sink.onText('one ');
      await gone;
      sink.onText('two');
      return ANSWER;
    },
  };
  return { llm, goOn };
}

test('holds back what the model says until the run is stored, and keeps its order', async () => {
  const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
  const { llm, goOn } = createModel();
  const heard: string[] = [];
  const sink = { onText: (text: string) => void heard.push(text), onReasoning: () => {} };
  const answer = holdAnswers(llm, accepted).stream(createRequest(), sink);
  await new Promise(setImmediate);
  expect(heard).toEqual([]);
  accept();
  await new Promise(setImmediate);
  expect(heard).toEqual(['one ']);
  goOn();
  expect(await answer).toBe(ANSWER);
  expect(heard).toEqual(['one ', 'two']);
});

test('rejects the call and says nothing when the run is not stored, also when the call failed first', async () => {
  const failing: LlmPort = { info: INFO, stream: () => Promise.reject(new Error('the model is away')) };
  for (const llm of [createModel().llm, failing]) {
    const { promise: accepted, reject } = Promise.withResolvers<void>();
    const heard: string[] = [];
    const answer = holdAnswers(llm, accepted).stream(createRequest(), { onText: text => void heard.push(text), onReasoning: () => {} });
    reject(new Error('not stored'));
    await expect(answer).rejects.toThrow('not stored');
    expect(heard).toEqual([]);
  }
});
