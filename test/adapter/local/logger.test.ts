import { createLogger, type LoggerOptions } from '../../../src/adapter/local/logger';
import { createKnownSecrets } from '../../../src/utils/redact';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(console, 'error').mockImplementation(line => void lines.push(line));
});
afterEach(() => jest.restoreAllMocks());

const { redact } = createKnownSecrets(['hunter2-hunter2-hunter2']);
const open = (more: Partial<LoggerOptions> = {}) => createLogger({ format: 'json', level: 'info', redact, ...more });
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

it('writes what is no fault at the level info, as text', () => {
  open().info('a program wrote', 'a line');
  expect(logged()).toEqual([{ time: TIME, level: 'info', msg: 'a program wrote', text: 'a line' }]);
});

it('writes no secret, and no key that the gateway made', () => {
  const made = `neta_${'a'.repeat(43)}`;
  const file: string[] = [];
  for (const format of ['json', 'text'] as const) {
    const logger = open({ format, file: { write: line => void file.push(line) } });
    logger.error('failed', new Error(`Bearer hunter2-hunter2-hunter2 or ${made}`));
  }
  for (const line of [...lines, ...file]) expect(line).toContain('Bearer [redacted] or [redacted]');
});

it.each([
  ['error', ['error']],
  ['warn', ['warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
] as const)('writes the lines of the level %s and of more serious ones', (level, expected) => {
  const logger = open({ level });
  for (const each of ['debug', 'info', 'warn'] as const) logger.event(each, each, {});
  logger.error('error', 'x');
  expect(logged().map(line => line.level)).toEqual(expected);
});

it('writes lines for people, which cannot move the cursor, and JSON to the file', () => {
  const file: string[] = [];
  const logger = open({ format: 'text', file: { write: line => void file.push(line) } });
  logger.event('warn', 'a run ended', { runId: 'run_1', outcome: 'failed', durMs: 2_340 });
  logger.info('output', 'red \u001b[31m');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}warn {3}a run ended {2}runId=run_1 {2}outcome=failed {2}2\.3 s$/);
  expect(lines[1]).toMatch(/output: red \[31m$/);
  expect(file.map(line => JSON.parse(line))).toMatchObject([{ msg: 'a run ended', durMs: 2_340 }, { text: 'red \u001b[31m' }]);
});

it('leaves out refusals when many come at once, and counts them in the next line', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const logger = open();
  for (let i = 0; i < 150; i++) logger.event('info', 'a request was refused', { code: 'not_found' });
  logger.event('info', 'a run ended', { runId: 'run_1', code: 'model_timeout' });
  expect(lines).toHaveLength(101);
  now.mockReturnValue(10_000);
  logger.event('info', 'a request was refused', { code: 'not_found' });
  expect(logged().at(-1)).toMatchObject({ code: 'not_found', leftOut: 50 });
});

it('a value that a model chose begins no line of its own', () => {
  open({ format: 'text', level: 'debug' }).event('debug', 'a tool call ended', { tool: 'x\n12:00:00  error  the disk is full' });
  expect(lines.join('\n').split('\n')).toHaveLength(1);
});
