/**
 * Evaluates arithmetic from text with a parser and an allow list; never runs code. Decimals are exact (0.1 + 0.2 is 0.3), `//` rounds down, `%`
 * has the sign of its divisor and `-2 ** 2` is -4, as in Python.
 */
import { Decimal } from 'decimal.js';
import jsep from 'jsep';
import type { Calculation } from '../../port/cpu_tasks';
import { applyFunction, applyOperator, CalculatorError, CONSTANTS, Exact, FUNCTION_NAMES, withinRange } from './decimal_math';

export const MAX_EXPRESSION_UNITS = 1_000;
/** Limit of nested parentheses. */
export const MAX_NESTING = 64;
/** Limit of powers and function calls; each may take 2 ms. */
const MAX_COSTLY = 100;
const MAX_SHOWN_DIGITS = 50;
const ROUNDED_DIGITS = 40;

/** Evaluates an expression. Never throws. Takes at most about 200 ms. */
export function calculate(expression: string): Calculation {
  try {
    return { ok: true, ...shown(evaluate(parse(expression))) };
  } catch (thrown) {
    if (thrown instanceof CalculatorError) return { ok: false, error: thrown.message, errorZh: thrown.messageZh };
    const reason = thrown instanceof Error ? thrown.message.replace(/ at character \d+$/, '') : String(thrown);
    return { ok: false, error: `The expression cannot be read: ${reason}`, errorZh: '算式不完整或写法有误，请检查运算符和括号。' };
  }
}

const FLOOR_DIVISION = '//';
jsep.addBinaryOp(FLOOR_DIVISION, jsep.binary_ops['*'] ?? 10);

/** Spellings of the operators that people and models use. */
const SPELLINGS: Readonly<Record<string, string>> = { '×': '*', '÷': '/', '−': '-', '（': '(', '）': ')', '，': ',' };

/** jsep drops parentheses, but they decide what `-2 ** 2` means, so each pair becomes a call of this name. */
const GROUP = '$';

function parse(expression: string): jsep.Expression {
  if (expression.length > MAX_EXPRESSION_UNITS) {
    throw new CalculatorError(
      `The expression has ${expression.length} characters; at most ${MAX_EXPRESSION_UNITS} are allowed.`,
      `算式有 ${expression.length} 个字符，最多 ${MAX_EXPRESSION_UNITS} 个。`,
    );
  }
  const plain = expression.replace(/[×÷−（），]/g, character => SPELLINGS[character] ?? character);
  const foreign = /[^\w\s.+\-*/%(),]/u.exec(plain)?.[0];
  if (foreign === '^') throw new CalculatorError('"^" is not an operator here; a power is written **.', '这里没有运算符“^”；乘方写作 **。');
  if (foreign !== undefined) throw foreignCharacter(foreign);
  if (plain.trim() === '') throw new CalculatorError('The expression is empty.', '算式为空。');
  if (nesting(plain) > MAX_NESTING)
    throw new CalculatorError(`Parentheses are nested more than ${MAX_NESTING} deep.`, `括号嵌套超过 ${MAX_NESTING} 层。`);
  if ((plain.match(/\*\*|[A-Za-z]\w*\s*\(/g)?.length ?? 0) > MAX_COSTLY) {
    throw new CalculatorError(
      `The expression has more than ${MAX_COSTLY} powers and function calls. Calculate it in parts.`,
      `算式中的乘方和函数调用超过 ${MAX_COSTLY} 个，请分成几部分计算。`,
    );
  }
  return jsep(plain.replace(/(?<![A-Za-z_]\w*\s*)\(/g, ` ${GROUP}(`));
}

function foreignCharacter(character: string): CalculatorError {
  const advice = 'Use numbers, + - * / // % ** and parentheses.';
  const adviceZh = '请使用数字、+ - * / // % ** 和括号。';
  if (/["'`\u2018-\u201f\u00ab\u00bb\u300c-\u300f]/.test(character))
    return new CalculatorError(
      `The quotation mark ${character} has no meaning here: there are no texts, and no code runs. ${advice}`,
      `引号 ${character} 在这里没有意义：没有文本，也不运行代码。${adviceZh}`,
    );
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
  return new CalculatorError(
    `The character ${isVisible ? `"${character}" (${code})` : code} has no meaning here. ${advice}`,
    `字符 ${isVisible ? `“${character}”（${code}）` : code} 在这里没有意义。${adviceZh}`,
  );
}

function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function evaluate(node: jsep.Expression): Decimal {
  return withinRange(resolveNode(node as jsep.CoreExpression));
}

function resolveNode(node: jsep.CoreExpression): Decimal {
  switch (node.type) {
    case 'Literal':
      return numberOf(node);
    case 'Identifier':
      return constantOf(node.name);
    case 'UnaryExpression':
      return signed(node);
    case 'BinaryExpression':
      return binary(node);
    case 'CallExpression':
      return call(node);
    case 'Compound':
    case 'SequenceExpression':
      throw new CalculatorError(
        'One expression is expected. Is an operator missing? Thousands are written without commas: 1000, not 1,000.',
        '应为一个算式。是否缺少运算符？千位不写逗号：1000，而不是 1,000。',
      );
    default:
      throw new CalculatorError(
        'Only numbers, operators, parentheses and the known functions are allowed.',
        '只能使用数字、运算符、括号和已知的函数。',
      );
  }
}

function numberOf({ value, raw }: jsep.Literal): Decimal {
  if (typeof value !== 'number') throw new CalculatorError(`${raw} is not a number.`, `${raw} 不是数字。`);
  return new Exact(raw);
}

function constantOf(name: string): Decimal {
  const constant = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
  if (constant) return constant;
  if (FUNCTION_NAMES.includes(name))
    throw new CalculatorError(`${name} is a function: write ${name}(...).`, `${name} 是函数，写作 ${name}(...)。`);
  throw new CalculatorError(`The name "${name}" is not known. ${KNOWN_NAMES}`, `不认识名称“${name}”。${KNOWN_NAMES_ZH}`);
}

const KNOWN_NAMES = `There are no variables; the names are ${Object.keys(CONSTANTS).join(', ')} and the functions ${FUNCTION_NAMES.join(', ')}.`;
const KNOWN_NAMES_ZH = `没有变量；可用的名称是 ${Object.keys(CONSTANTS).join('、')}，函数有 ${FUNCTION_NAMES.join('、')}。`;

function signed({ operator, argument }: jsep.UnaryExpression): Decimal {
  const value = evaluate(argument);
  if (operator === '-') return value.negated();
  if (operator === '+') return value;
  throw new CalculatorError(`"${operator}" is not an operator here.`, `这里没有运算符“${operator}”。`);
}

function binary({ operator, left, right }: jsep.BinaryExpression): Decimal {
  // A sign binds less tightly than a power, but jsep parses it first.
  if (operator === '**' && left.type === 'UnaryExpression') {
    const sign = left as jsep.UnaryExpression;
    return signed({ ...sign, argument: { type: 'BinaryExpression', operator, left: sign.argument, right } });
  }
  return applyOperator(operator, evaluate(left), evaluate(right));
}

function call({ callee, arguments: args }: jsep.CallExpression): Decimal {
  const name = callee.type === 'Identifier' ? (callee as jsep.Identifier).name : undefined;
  if (name === GROUP) {
    const [inner, ...more] = args;
    if (!inner || more.length > 0)
      throw new CalculatorError(
        'Parentheses must hold exactly one expression; thousands are written without commas.',
        '括号中必须恰好有一个算式；千位不写逗号。',
      );
    return evaluate(inner);
  }
  if (name === undefined || !FUNCTION_NAMES.includes(name)) {
    const shownName = name === undefined ? 'This' : `"${name}"`;
    throw new CalculatorError(
      `${shownName} is not a function here, and nothing else can be called. The functions are ${FUNCTION_NAMES.join(', ')}.`,
      `${name === undefined ? '这里' : `“${name}”`}不是函数，不能调用别的东西。函数有 ${FUNCTION_NAMES.join('、')}。`,
    );
  }
  return applyFunction(name, args.map(evaluate));
}

function shown(value: Decimal): { value: string; isRounded: boolean } {
  if (value.isZero()) return { value: '0', isRounded: false };
  if (value.isInteger() && !endsInZerosOfRounding(value)) return { value: value.toFixed(), isRounded: false };
  if (value.precision() <= MAX_SHOWN_DIGITS) return { value: value.toString(), isRounded: false };
  return { value: value.toSignificantDigits(ROUNDED_DIGITS, Decimal.ROUND_HALF_UP).toString(), isRounded: true };
}

/** Returns whether a large result of a function ends in zeros that only stand for digits beyond its precision. */
const endsInZerosOfRounding = (value: Decimal): boolean => value.precision() > MAX_SHOWN_DIGITS && value.e >= value.precision();
