import { createLogger, type LoggerOptions } from '../../../../src/adapter/local/log/logger';
import { createKnownSecrets } from '../../../../src/adapter/redact';

const lines: string[] = [];
let writes = 0;
beforeAll(() => {
  // Never restored: Jest would complain about a line that is written after the last test.
  jest.spyOn(console, 'error').mockImplementation((text: string) => {
    writes += 1;
    lines.push(...text.split(/\n(?=\{|\d\d:)/));
  });
});
beforeEach(() => {
  lines.length = 0;
  writes = 0;
});

/** Lines that are no errors are written at the end of the turn of the event loop. */
const endOfTurn = () => new Promise(resolve => setImmediate(resolve));

// A line that waits must not reach the next test.
afterEach(endOfTurn);

const { redact } = createKnownSecrets(['hunter2-hunter2-hunter2']);
const open = (more: Partial<LoggerOptions> = {}) => createLogger({ format: 'json', level: 'info', timeZone: 'UTC', redact, ...more });
const logged = () => lines.map(line => JSON.parse(line));
const TIME = expect.stringMatching(/^\d{4}-.*Z$/);

it('writes one JSON object a line: time, level and message first, then the facts that the caller knows, and the stack', () => {
  const error = new Error('the disk is full');
  open().error('a run failed', error, { runId: 'run_1', sessionId: 'ses_1' });
  expect(logged()).toEqual([{ time: TIME, level: 'error', msg: 'a run failed', runId: 'run_1', sessionId: 'ses_1', error: error.stack }]);
  expect(lines[0]).toMatch(/^\{"time":"[^"]*","level":"error","msg":"a run failed",/);
});

it.each([
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [404, '404'],
])('logs %p, which is no error', (thrown, text) => {
  open().error('failed', thrown);
  expect(logged()).toMatchObject([{ msg: 'failed', error: text }]);
});

it('keeps a message with line breaks on one line', () => {
  open().error('first\nsecond %s', 'x');
  expect(lines.join('').includes('\n')).toBe(false);
  expect(logged()).toMatchObject([{ msg: 'first\nsecond %s', error: 'x' }]);
});

it('writes what is no fault at the level info, as text', async () => {
  open().info('a program wrote', 'a line');
  await endOfTurn();
  expect(logged()).toEqual([{ time: TIME, level: 'info', msg: 'a program wrote', text: 'a line' }]);
});

it('writes no secret, and no key that the gateway made', () => {
  const made = `neta_${'a'.repeat(43)}`;
  const file: string[] = [];
  for (const format of ['json', 'text'] as const) {
    const logger = open({ format, file: { write: line => void file.push(line), close: async () => {} } });
    logger.error('failed', new Error(`Bearer hunter2-hunter2-hunter2 or ${made}`));
  }
  for (const line of [...lines, ...file]) expect(line).toContain('Bearer [redacted] or [redacted]');
});

it.each([
  ['error', ['error']],
  ['warn', ['warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
] as const)('writes the lines of the level %s and of more serious ones', async (level, expected) => {
  const logger = open({ level });
  for (const each of ['debug', 'info', 'warn'] as const) logger.event(each, each, {});
  logger.error('error', 'x');
  await endOfTurn();
  expect(logged().map(line => line.level)).toEqual(expected);
});

it('writes lines for people, which cannot move the cursor, and JSON to the file', async () => {
  const file: string[] = [];
  const logger = open({ format: 'text', file: { write: line => void file.push(line), close: async () => {} } });
  logger.event('warn', 'a run ended', { runId: 'run_1', outcome: 'failed', durMs: 2_340 });
  logger.info('output', 'red \u001b[31m');
  await endOfTurn();
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}warn {3}a run ended {2}runId=run_1 {2}outcome=failed {2}2\.3 s$/);
  expect(lines[1]).toMatch(/output: red \[31m$/);
  expect(file.map(line => JSON.parse(line))).toMatchObject([{ msg: 'a run ended', durMs: 2_340 }, { text: 'red \u001b[31m' }]);
});

it('leaves out refusals when many come at once, and counts them in the next line', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const logger = open();
  for (let i = 0; i < 150; i++) logger.event('info', 'a request was refused', { code: 'not_found' });
  logger.event('info', 'a run ended', { runId: 'run_1', code: 'model_timeout' });
  await endOfTurn();
  expect(lines).toHaveLength(101);
  now.mockReturnValue(10_000);
  logger.event('info', 'a request was refused', { code: 'not_found' });
  await endOfTurn();
  expect(logged().at(-1)).toMatchObject({ code: 'not_found', leftOut: 50 });
  now.mockRestore();
});

it('a value that a model chose begins no line of its own', async () => {
  open({ format: 'text', level: 'debug' }).event('debug', 'a tool call ended', { tool: 'x\n12:00:00  error  the disk is full' });
  await endOfTurn();
  expect(lines.join('\n').split('\n')).toHaveLength(1);
});

it('writes the lines of one turn of the event loop at once', async () => {
  const logger = open();
  for (const runId of ['run_1', 'run_2', 'run_3']) logger.event('info', 'a run ended', { runId });
  expect(writes).toBe(0);
  await endOfTurn();
  expect(writes).toBe(1);
  expect(logged().map(({ runId }) => runId)).toEqual(['run_1', 'run_2', 'run_3']);
});

it('writes an error at once, behind the lines before it', async () => {
  const logger = open();
  logger.event('info', 'a run ended', { runId: 'run_1' });
  logger.error('failed', 'x');
  expect(logged().map(({ msg }) => msg)).toEqual(['a run ended', 'failed']);
  await endOfTurn();
  expect(writes).toBe(1);
});

it('writes what waits when the process ends, and leaves no listener behind', async () => {
  const before = process.listenerCount('exit');
  open().event('info', 'a run ended', { runId: 'run_1' });
  expect(process.listenerCount('exit')).toBe(before + 1);
  process.listeners('exit').at(-1)?.(0);
  expect(logged()).toMatchObject([{ runId: 'run_1' }]);
  expect(process.listenerCount('exit')).toBe(before);
});

it('keeps the last 1,000 lines without secrets, long texts cut, and tells those that follow', () => {
  const { tail, info, error, event } = open();
  const seen: number[] = [];
  const stop = tail.watch(({ n }) => seen.push(n));
  for (let i = 1; i <= 1_500; i += 1) info('a program wrote', `line ${i}`);
  event('debug', 'too detailed', {});
  error('failed', new Error(`Bearer hunter2-hunter2-hunter2 ${'x'.repeat(10_000)}`), { runId: 'run_1' });
  stop();
  info('a program wrote', 'unseen');
  expect(seen).toEqual(Array.from({ length: 1_501 }, (_, i) => i + 1));
  const recent = tail.recent();
  expect([recent.length, recent[0]?.n, recent.at(-1)?.n]).toEqual([1_000, 503, 1_502]);
  const failed = recent.at(-2);
  expect(failed).toMatchObject({ n: 1_501, level: 'error', runId: 'run_1', error: expect.stringContaining('Bearer [redacted]') });
  expect(failed?.error?.length).toBeLessThan(4_100);
});
