import { calculate } from '../../../src/tools/data_services/calculator';
import { cpuTime } from '../../support/cpu_time';

const answerOf = (expression: string) => {
  const result = calculate(expression);
  return result.ok ? result.value : result.error;
};

describe('calculate (nanoclaw.data, nanoclaw.services)', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1 - 0.9', '0.1'],
    ['-7 // 2', '-4'],
    ['7 // -2', '-4'],
    ['-7 % 3', '2'],
    ['7 % -3', '-2'],
    ['-2 ** 2', '-4'],
    ['(-2) ** 2', '4'],
    ['2 ** 3 ** 2', '512'],
    ['2 ** -1', '0.5'],
    ['--2 ** 2', '4'],
    ['0 ** 0', '1'],
    ['1e1000 % 7', '4'],
    ['123456789 * 987654321', '121932631112635269'],
    ['3 × (4 − 1) ÷ 2', '4.5'],
    ['（1 + 2） * 3', '9'],
    ['2 ** 200', String(2n ** 200n)],
    ['7 ** 1000', String(7n ** 1000n)],
    ['.5 + 5.', '5.5'],
  ])('%s is %s', (expression, value) => {
    expect(calculate(expression)).toEqual({ ok: true, value, isRounded: false });
  });

  it.each([
    ['1 / 3', `0.${'3'.repeat(40)}`],
    ['1 / 3 * 3', '1'],
    ['sqrt(2) ** 2', '2'],
    ['pi', '3.141592653589793238462643383279502884197'],
    ['exp(1) - e', '0'],
    ['sin(pi)', '0'],
    ['sqrt(144)', '12'],
    ['round(2.5)', '3'],
    ['round(-2.567, 2)', '-2.57'],
    ['round(1250, -2)', '1300'],
    ['log(1000) + log(8, 2)', '6'],
    ['max(1, 3, 2) - min(4, 5) + abs(-1)', '0'],
    ['floor(-1.5) + ceil(1.2)', '0'],
  ])('%s is %s, by functions and rounding', (expression, value) => {
    expect(answerOf(expression)).toBe(value);
  });

  it.each([
    ['a + 1', /"a" is not known.*pi, e/],
    ['constructor', /not known/],
    ['__proto__', /not known/],
    ['constructor(1)', /nothing else can be called/],
    ['process.exit(1)', /not a function|allowed/],
    ['eval(1)', /nothing else can be called/],
    ['sqrt', /is a function: write sqrt/],
    ['this', /allowed/],
    ['true', /not a number/],
    ['"x"', /^The quotation mark " has no meaning here: there are no texts/],
    ['__import__("os")', /^The quotation mark " has no meaning here: there are no texts, and no code runs\. Use numbers/],
    ["__import__('os').system('ls')", /^The quotation mark ' has no meaning/],
    ['“2” + 2', /^The quotation mark “ has no meaning/],
    ['1 + 2;', /^The character ";" \(U\+003B\) has no meaning/],
    ['1 + \u200b2', /^The character U\+200B has no meaning/],
    ['2 😀 3', /^The character "😀" \(U\+1F600\) has no meaning/],
    ['__import__(1)', /"__import__" is not a function here, and nothing else can be called/],
    ['[1]', /has no meaning/],
    ['2 ^ 3', /\*\*/],
    ['1 = 1', /has no meaning/],
    ['1,000', /1000, not 1,000/],
    ['2(3)', /operator missing/],
    ['(1', /cannot be read/],
    ['1)', /cannot be read/],
    ['()', /exactly one/],
    ['  ', /empty/],
    ['0x10', /cannot be read/],
    ['1 / 0', /zero/],
    ['1 % 0', /zero/],
    ['1 // 0', /zero/],
    ['0 ** -1', /zero/],
    ['sqrt(-1)', /real number/],
    ['(-8) ** 0.5', /real number/],
    ['ln(0)', /logarithm/],
    ['log(2, 1)', /base 1/],
    ['tan(pi / 2)', /not defined/],
    ['min()', /1 to 100 arguments/],
    ['sin(1, 2)', /takes 1 argument, got 2/],
  ])('%s is refused with a reason', (expression, reason) => {
    expect(calculate(expression)).toMatchObject({ ok: false, error: expect.stringMatching(reason) });
  });

  it.each([
    ['9 ** 9 ** 9', /exponent is too large/],
    ['10 ** 1001', /too large/],
    ['1e1001', /too large/],
    ['1e-999 * 1e-999', /too small/],
    ['exp(2401)', /out of range/],
    ['sin(1e31)', /angle is too large/],
    [`${'('.repeat(65)}1${')'.repeat(65)}`, /nested more than 64/],
    ['1+'.repeat(500) + 1, /at most 1000/],
    ['sin(1)+'.repeat(101) + 1, /more than 100 powers/],
    ['2**'.repeat(100) + 2, /too large/],
  ])('%s is over a limit', (expression, reason) => {
    expect(calculate(expression)).toMatchObject({ ok: false, error: expect.stringMatching(reason) });
  });

  it.each(['tan(1e29)+', '.7**', 'ln(3)+', '7**.1+', '1/7+', '2//'])('the longest expression of %s does not block the event loop', part => {
    const startedAt = cpuTime();
    calculate(part.repeat(Math.min(99, Math.floor(990 / part.length))) + 1);
    expect(cpuTime() - startedAt).toBeLessThan(1_000);
  });

  it('accepts long chains and 64 parentheses', () => {
    expect(answerOf('1+'.repeat(499) + 1)).toBe('500');
    expect(answerOf(`${'('.repeat(64)}1${')'.repeat(64)}`)).toBe('1');
    expect(answerOf(`${'-'.repeat(998)}1`)).toBe('1');
  });
});
