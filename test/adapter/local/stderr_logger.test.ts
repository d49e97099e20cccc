import { createStderrLogger } from '../../../src/adapter/local/stderr_logger';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(console, 'error').mockImplementation(line => void lines.push(line));
});
afterEach(() => jest.restoreAllMocks());

const logged = () => lines.map(line => JSON.parse(line));

it('writes one JSON object a line, with the ids that the caller knows and the stack', () => {
  const error = new Error('the disk is full');
  createStderrLogger([]).error('a run failed', error, { runId: 'run_1', sessionId: 'ses_1' });
  expect(logged()).toEqual([
    {
      level: 'error',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      message: 'a run failed',
      runId: 'run_1',
      sessionId: 'ses_1',
      error: error.stack,
    },
  ]);
});

it.each([
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [404, '404'],
])('logs %p, which is no error', (thrown, text) => {
  createStderrLogger([]).error('failed', thrown);
  expect(logged()).toMatchObject([{ message: 'failed', error: text }]);
});

it('keeps a message with line breaks on one line', () => {
  createStderrLogger([]).error('first\nsecond %s', 'x');
  expect(lines.join('').includes('\n')).toBe(false);
  expect(logged()).toMatchObject([{ message: 'first\nsecond %s', error: 'x' }]);
});

it('writes what is no fault at the level info, as text', () => {
  createStderrLogger([]).info('a program wrote', 'a line');
  expect(logged()).toEqual([{ level: 'info', time: expect.any(String), message: 'a program wrote', text: 'a line' }]);
});

it('writes no secret, and no key that the gateway made', () => {
  const made = `neta_${'a'.repeat(43)}`;
  createStderrLogger(['hunter2-hunter2-hunter2']).error('failed', new Error(`Bearer hunter2-hunter2-hunter2 or ${made}`));
  expect(JSON.stringify(lines)).toContain('Bearer [redacted] or [redacted]');
});
