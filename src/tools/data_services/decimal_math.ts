/** Operators and functions of the calculator on decimals, with limits of size and time. */
import { Decimal } from 'decimal.js';

/** Thrown for an expression that cannot be evaluated; the message is for the model. Runs in Chinese get `messageZh`. */
export class CalculatorError extends Error {
  constructor(
    message: string,
    readonly messageZh: string,
  ) {
    super(message);
  }
}

/** Largest power of ten of a value. */
const MAX_MAGNITUDE = 1_000;
const MAX_POWER = 1_000_000;
/** Twenty digits more than are shown, so that intermediate rounding does not show. */
const FUNCTION_DIGITS = 60;

const SHARED = { rounding: Decimal.ROUND_HALF_EVEN, modulo: Decimal.ROUND_FLOOR, toExpPos: 40, toExpNeg: -40 } as const;

/** Precision of operations with an exact result: every whole number within the limits fits. */
export const Exact = Decimal.clone({ ...SHARED, precision: MAX_MAGNITUDE + 10, defaults: true });
/** Precision of operations without an exact result: roots, logarithms, angles. */
const Approximate = Decimal.clone({ ...SHARED, precision: FUNCTION_DIGITS, defaults: true });

export const CONSTANTS: Readonly<Record<string, Decimal>> = {
  pi: new Exact(Approximate.acos(-1)),
  e: new Exact(Approximate.exp(1)),
};

/** Returns the value; throws when its magnitude is out of range. */
export function withinRange(value: Decimal): Decimal {
  if (value.isNaN()) throw new CalculatorError('The result is not a real number.', '结果不是实数。');
  if (!value.isFinite() || value.e > MAX_MAGNITUDE)
    throw new CalculatorError(`The result is too large: more than ${MAX_MAGNITUDE} digits.`, `结果过大：超过 ${MAX_MAGNITUDE} 位。`);
  if (!value.isZero() && value.e < -MAX_MAGNITUDE)
    throw new CalculatorError(`The result is too small: below 1e-${MAX_MAGNITUDE}.`, `结果过小：小于 1e-${MAX_MAGNITUDE}。`);
  return value;
}

/** Applies an operator to values that are in range. Throws CalculatorError. */
export function applyOperator(operator: string, left: Decimal, right: Decimal): Decimal {
  switch (operator) {
    case '+':
      return left.plus(right);
    case '-':
      return left.minus(right);
    case '*':
      return left.times(right);
    case '/':
      return left.dividedBy(nonZero(right));
    case '//':
      // Uses the exact remainder, because a rounded quotient could round up to the next whole number.
      return left
        .minus(left.modulo(nonZero(right)))
        .dividedBy(right)
        .round();
    case '%':
      return left.modulo(nonZero(right));
    case '**':
      return power(left, right);
    default:
      throw new CalculatorError(
        `"${operator}" is not an operator here. Use + - * / // % **.`,
        `这里没有运算符“${operator}”，请使用 + - * / // % **。`,
      );
  }
}

function nonZero(value: Decimal): Decimal {
  if (value.isZero()) throw new CalculatorError('Division by zero.', '除数为零。');
  return value;
}

function power(base: Decimal, exponent: Decimal): Decimal {
  if (exponent.isZero()) return new Exact(1);
  if (base.isZero()) {
    if (exponent.isNegative()) throw new CalculatorError('Division by zero: 0 to a negative power.', '除数为零：0 的负数次幂。');
    return base;
  }
  if (exponent.abs().greaterThan(MAX_POWER))
    throw new CalculatorError(`The exponent is too large: at most ${MAX_POWER} is allowed.`, `指数过大：最大为 ${MAX_POWER}。`);
  withinRange(new Exact(10).toPower(estimatedMagnitude(base, exponent)));
  // A power with more digits than are kept would not be exact and would take long, so it is approximated.
  const isExact = exponent.isInteger() && (base.isInteger() || base.precision() * Math.abs(exponent.toNumber()) <= 2 * MAX_MAGNITUDE);
  if (isExact) return base.toPower(exponent);
  if (base.isNegative() && !exponent.isInteger())
    throw new CalculatorError('A negative number to a fractional power is not a real number.', '负数的分数次幂不是实数。');
  return fromApproximate(approximate(base).toPower(approximate(exponent)));
}

/** Estimates the power of ten of the result, clamped so that the caller can compute with it. */
function estimatedMagnitude(base: Decimal, exponent: Decimal): number {
  const [mantissa = 1, scale = 0] = base.abs().toExponential(14).split('e').map(Number);
  const magnitude = Math.trunc((Math.log10(mantissa) + scale) * Number(exponent));
  return Math.max(-2 * MAX_MAGNITUDE, Math.min(2 * MAX_MAGNITUDE, magnitude));
}

const NEARLY_ZERO = '1e-50';

interface MathFunction {
  arity: readonly [least: number, most: number];
  apply: (args: readonly Decimal[]) => Decimal;
}

const one = (apply: (value: Decimal) => Decimal): MathFunction => ({ arity: [1, 1], apply: ([value]) => apply(value as Decimal) });

/** Rounds sin(pi) to 0, because the stored pi is only an approximation. */
const angle = (apply: (value: Decimal) => Decimal): MathFunction =>
  one(value => {
    if (value.e > 30) throw new CalculatorError('The angle is too large: below 1e30 is allowed.', '角度过大：必须小于 1e30。');
    const result = apply(approximate(value));
    return result.abs().lessThan(NEARLY_ZERO) ? new Exact(0) : fromApproximate(result);
  });

const FUNCTIONS: Readonly<Record<string, MathFunction>> = {
  sqrt: one(value => {
    if (value.isNegative() && !value.isZero())
      throw new CalculatorError('The square root of a negative number is not a real number.', '负数的平方根不是实数。');
    const root = fromApproximate(approximate(value).squareRoot());
    return root.times(root).equals(value) || value.precision() <= FUNCTION_DIGITS ? root : value.squareRoot();
  }),
  abs: one(value => value.abs()),
  round: {
    arity: [1, 2],
    apply: ([value, places]) => {
      const wanted = places ?? new Exact(0);
      if (!wanted.isInteger() || wanted.abs().greaterThan(100))
        throw new CalculatorError('round takes a whole number of places up to 100.', 'round 的位数必须是不超过 100 的整数。');
      const scale = new Exact(10).toPower(wanted);
      return (value as Decimal).times(scale).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).dividedBy(scale);
    },
  },
  floor: one(value => value.floor()),
  ceil: one(value => value.ceil()),
  min: { arity: [1, 100], apply: args => Exact.min(...args) },
  max: { arity: [1, 100], apply: args => Exact.max(...args) },
  log: {
    arity: [1, 2],
    apply: ([value, base]) => {
      if (base?.equals(1)) throw new CalculatorError('A logarithm has no base 1.', '对数的底不能为 1。');
      return fromApproximate(approximate(positive(value as Decimal)).logarithm(base ? approximate(positive(base)) : 10));
    },
  },
  ln: one(value => fromApproximate(approximate(positive(value)).naturalLogarithm())),
  exp: one(value => {
    if (value.abs().greaterThan(2_400))
      throw new CalculatorError('The argument of exp is out of range: at most 2400 is allowed.', 'exp 的参数超出范围：最大为 2400。');
    return fromApproximate(approximate(value).naturalExponential());
  }),
  sin: angle(value => value.sine()),
  cos: angle(value => value.cosine()),
  tan: angle(value => {
    if (value.cosine().abs().lessThan(NEARLY_ZERO))
      throw new CalculatorError('tan is not defined for this angle.', 'tan 在这个角度没有定义。');
    return value.tangent();
  }),
};

export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

/** Calls a function of FUNCTION_NAMES with arguments that are in range. Throws CalculatorError. */
export function applyFunction(name: string, args: readonly Decimal[]): Decimal {
  const { arity, apply } = FUNCTIONS[name] as MathFunction;
  const [least, most] = arity;
  if (args.length < least || args.length > most) {
    const isFixed = least === most;
    const wanted = isFixed ? `${least}` : `${least} to ${most}`;
    throw new CalculatorError(
      `${name} takes ${wanted} argument${wanted === '1' ? '' : 's'}, got ${args.length}.`,
      `${name} 需要 ${isFixed ? least : `${least} 至 ${most}`} 个参数，收到 ${args.length} 个。`,
    );
  }
  return apply(args);
}

function positive(value: Decimal): Decimal {
  if (value.lessThanOrEqualTo(0))
    throw new CalculatorError('The logarithm of zero or of a negative number is not a real number.', '零或负数的对数不是实数。');
  return value;
}

/** Decimal's constructor keeps every digit, so a long number is rounded to the digits that are used. */
const approximate = (value: Decimal): Decimal => new Approximate(value).toSignificantDigits(FUNCTION_DIGITS);

const fromApproximate = (value: Decimal): Decimal => new Exact(value);
