import OpenAI from 'openai';
import { type MockModel, startMockModel } from './mock_model';

let model: MockModel;
let client: OpenAI;
beforeAll(async () => {
  model = await startMockModel();
  client = new OpenAI({ apiKey: 'k', baseURL: model.baseUrl, maxRetries: 0 });
});
afterAll(() => model.stop());

const ask = (messages: OpenAI.ChatCompletionMessageParam[]) => client.chat.completions.create({ model: 'mock', messages });

describe('the scripted model server', () => {
  test('answers the steps of a turn by the messages of the request alone', async () => {
    model.onTurn('list the files', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' }, id: 'call_1' }] }, request => ({
      text: `There is ${request.toolResults[0]}.`,
    }));
    const first = (await ask([{ role: 'user', content: 'please list the files' }])).choices[0]?.message;
    expect(first?.tool_calls).toEqual([{ id: 'call_1', type: 'function', function: { name: 'list_dir', arguments: '{"path":"."}' } }]);
    const second = await ask([
      { role: 'user', content: 'please list the files' },
      { role: 'assistant', content: null, tool_calls: first?.tool_calls },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
    ]);
    expect(second.choices[0]?.message.content).toBe('There is a.txt.');
    expect(model.requests('list the files').map(request => request.step)).toEqual([0, 1]);
  });

  test('falls through to the next script when a reply is used up, and says so when nothing answers', async () => {
    model.onTurn('flaky', { error: { status: 500 }, times: 1 });
    model.onTurn('flaky', 'fine now');
    await expect(ask([{ role: 'user', content: 'flaky' }])).rejects.toThrow('scripted error 500');
    expect((await ask([{ role: 'user', content: 'flaky' }])).choices[0]?.message.content).toBe('fine now');
    await expect(ask([{ role: 'user', content: 'who?' }])).rejects.toThrow('no scripted turn answers step 0 of "who?"');
  });

  test('pauses a stream after some pieces, goes on when told, and knows when the client hangs up', async () => {
    model.onTurn('count', { text: 'one two three four', chunkSize: 4, pauseAfter: 2 });
    const stream = await client.chat.completions.create({ model: 'mock', messages: [{ role: 'user', content: 'count' }], stream: true });
    let text = '';
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (text === 'one two ') model.resume();
    }
    expect(text).toBe('one two three four');
    expect(await (await model.waitFor('count')).ended).toBe('complete');

    model.onTurn('slow', { text: 'never seen', pauseAfter: 0 });
    const hangUp = new AbortController();
    const asked = client.chat.completions.create(
      { model: 'mock', messages: [{ role: 'user', content: 'slow' }] },
      { signal: hangUp.signal },
    );
    const request = await model.waitFor('slow');
    hangUp.abort();
    await expect(asked).rejects.toThrow('aborted');
    expect(await request.ended).toBe('hung_up');
  });
});
