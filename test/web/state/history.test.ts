import { buildHistory } from '../../../web/src/state/history';

const at = { createdAt: '2026-01-02T03:04:05.678Z' };

describe('turns from stored messages', () => {
  it('joins each call with its result and takes the status from the run', () => {
    const call = { toolCallId: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' };
    const turns = buildHistory(
      [
        { id: '1', runId: 'run_1', role: 'user', content: 'read it', ...at },
        { id: '2', runId: 'run_1', role: 'assistant', content: 'Reading.', toolCalls: [call], ...at },
        { id: '3', runId: 'run_1', role: 'tool', content: 'hello', toolCallId: 'c1', ...at },
        { id: '4', runId: 'run_1', role: 'assistant', content: 'It says hello.', ...at },
      ],
      [{ runId: 'run_1', status: 'completed', usage: { inputTokens: 1, outputTokens: 2 } }],
    );
    expect(turns).toMatchObject([
      {
        input: 'read it',
        state: 'completed',
        lastSeq: 0,
        usage: { inputTokens: 1, outputTokens: 2 },
        items: [
          { kind: 'text', text: 'Reading.', done: true },
          { kind: 'tool', name: 'read_file', args: { path: 'a.txt' }, state: 'ended', result: 'hello' },
          { kind: 'text', text: 'It says hello.', done: true },
        ],
      },
    ]);
  });

  it('shows a summary that a program gave back as one, and not what the gateway answered to it', () => {
    const messages = [
      { id: '1', role: 'user' as const, content: 'Roots so far.', byGateway: true, summary: true },
      { id: '2', role: 'assistant' as const, content: 'I go on.', byGateway: true },
      { id: '3', role: 'user' as const, content: 'and now?' },
    ];
    const [turn] = buildHistory(
      messages.map(message => ({ ...message, runId: 'run_1', ...at })),
      [],
    );
    expect(turn).toMatchObject({
      input: '',
      items: [
        { kind: 'compacted', summary: 'Roots so far.' },
        { kind: 'said', text: 'and now?' },
      ],
    });
  });

  it('shows the images of the message that started the run', () => {
    const message = { id: '1', runId: 'run_1', role: 'user' as const, content: 'look', imageUrls: ['/a', '/b'], ...at };
    expect(buildHistory([message], [])).toMatchObject([{ input: 'look', images: ['/a', '/b'] }]);
  });

  it('shows runs that have no message yet and why a run failed', () => {
    const error = { code: 'model_timeout', message: 'Too slow.', retryable: true };
    const turns = buildHistory(
      [{ id: '1', runId: 'run_1', role: 'user', content: 'one', ...at }],
      [
        { runId: 'run_1', status: 'failed', error },
        { runId: 'run_2', status: 'queued', input: 'two' },
      ],
    );
    expect(turns).toMatchObject([
      { input: 'one', state: 'failed', error },
      { input: 'two', state: 'queued' },
    ]);
  });

  it('separates a steering message from the first message, and names the limit that ended the run', () => {
    const turns = buildHistory(
      [
        { id: '1', runId: 'run_1', role: 'user', content: 'start', ...at },
        { id: '2', runId: 'run_1', role: 'assistant', content: 'Working.', ...at },
        { id: '3', runId: 'run_1', role: 'user', content: 'hurry', ...at },
      ],
      [{ runId: 'run_1', status: 'incomplete', reason: 'output_limit' }],
    );
    expect(turns).toMatchObject([{ input: 'start', state: 'incomplete', reason: 'output_limit' }]);
    expect(turns[0]?.items).toMatchObject([{ kind: 'text' }, { kind: 'said', text: 'hurry' }]);
  });

  it('shows arguments that are not valid JSON as text', () => {
    const call = { toolCallId: 'c1', name: 'bash', arguments: '{"comm' };
    const [turn] = buildHistory([{ id: '2', runId: 'run_1', role: 'assistant', content: '', toolCalls: [call], ...at }], []);
    expect(turn?.items).toMatchObject([{ kind: 'tool', args: '{"comm' }]);
  });
});
