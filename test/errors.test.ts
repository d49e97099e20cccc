import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { AppError, ERRORS, type ErrorCode, toAppError, toWireError } from '../src/errors';

const SOURCE = join(__dirname, '../src');

/** Reads the table rows of a page in docs/: code, HTTP status, retryable, meaning, what to do. */
function documentedRows(page: string): string[][] {
  const text = readFileSync(join(__dirname, '../docs', page), 'utf8');
  const rows = text.split('\n').filter(line => /^\| `/.test(line));
  return rows.map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
}

describe('the error table', () => {
  it('equals docs/errors.md: each code once, in the same order, with status, retryable and meaning', () => {
    const expected = Object.entries(ERRORS).map(([code, row]) => [
      `\`${code}\``,
      String(row.status),
      row.retryable ? 'yes' : 'no',
      row.text.en,
    ]);
    expect(documentedRows('errors.md').map(cells => cells.slice(0, 4))).toEqual(expected);
  });

  it('equals docs/errors.zh-CN.md, where the meanings are Chinese', () => {
    const expected = Object.entries(ERRORS).map(([code, row]) => [`\`${code}\``, String(row.status), row.retryable ? '是' : '否']);
    const rows = documentedRows('errors.zh-CN.md');
    expect(rows.map(cells => cells.slice(0, 3))).toEqual(expected);
    expect(rows.filter(cells => !/\p{Script=Han}/u.test(cells[3] ?? ''))).toEqual([]);
  });

  it.each(['errors.md', 'errors.zh-CN.md'])('%s says what to do about every code', page => {
    expect(documentedRows(page).filter(cells => cells.length !== 5 || (cells[4] ?? '').length < 8)).toEqual([]);
  });
});

/** The texts that code passes to AppError, returns, or assigns to a property `errorCode`. Types, comparisons and schemas do not count. */
function producedTexts(file: string): string[] {
  const found: string[] = [];
  const isProducer = (node: ts.Node): boolean =>
    ts.isReturnStatement(node) ||
    (ts.isNewExpression(node) && node.expression.getText() === 'AppError') ||
    (ts.isPropertyAssignment(node) && node.name.getText() === 'errorCode');
  const visit = (node: ts.Node, isProduced: boolean): void => {
    if (isProduced && ts.isStringLiteral(node) && !ts.isBinaryExpression(node.parent)) found.push(node.text);
    ts.forEachChild(node, child => visit(child, isProduced || isProducer(node)));
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), false);
  return found;
}

it('has no code that the gateway never produces', () => {
  const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts') && path !== 'errors.ts');
  const produced = new Set(sources.flatMap(path => producedTexts(join(SOURCE, path))));
  expect(Object.keys(ERRORS).filter(code => !produced.has(code))).toEqual([]);
});

describe('the wire form of an error', () => {
  it('has type and retryable from the table, and optional fields only when they are known', () => {
    expect(toWireError(new AppError('session_busy'), 'r-1')).toEqual({
      code: 'session_busy',
      message: ERRORS.session_busy.text.en,
      type: 'conflict_error',
      retryable: true,
      requestId: 'r-1',
    });
    const full = new AppError('rate_limited', {
      message: 'Slow down.',
      messageZh: '请慢一点。',
      param: '/text',
      retryAfterMs: 5,
      details: { limit: 1 },
    });
    expect(toWireError(full, 'r-2')).toEqual({
      code: 'rate_limited',
      message: 'Slow down.',
      type: 'rate_limit_error',
      param: '/text',
      retryable: true,
      retryAfterMs: 5,
      requestId: 'r-2',
      details: { limit: 1 },
    });
  });

  it('has its message in the language of the reader, which no error can leave out', () => {
    // @ts-expect-error: a message needs its Chinese.
    expect(new AppError('rate_limited', { message: 'Slow down.' })).toBeInstanceOf(AppError);
    const own = new AppError('rate_limited', { message: 'Slow down.', messageZh: '请慢一点。' });
    const usual = new AppError('rate_limited');
    expect([own, usual].map(error => toWireError(error, 'r', 'zh-CN').message)).toEqual(['请慢一点。', ERRORS.rate_limited.text['zh-CN']]);
  });

  it('hides the text of an unexpected failure, which is kept as the cause for the log', () => {
    const original = new Error('SELECT secret FROM /home/me/neta.db');
    const error = toAppError(original);
    expect(error.cause).toBe(original);
    expect(JSON.stringify(toWireError(error, 'r-3'))).not.toMatch(/SELECT|home/);
    expect(toAppError(error)).toBe(error);
  });

  it('has a valid HTTP error status for every code', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[])
      expect([400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 416, 429, 500, 502, 503, 504]).toContain(
        new AppError(code).status,
      );
  });
});
