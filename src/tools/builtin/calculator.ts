import { Type } from '@sinclair/typebox';
import { defineTool, errorResult, inLocale, textResult } from '../common';
import { runCpuTask } from '../cpu_tasks';
import { MAX_EXPRESSION_UNITS, MAX_NESTING } from '../data_services/calculator';

/** Matches powers and possible function calls; each may take 2 ms. */
const COSTLY = /\*\*|[A-Za-z]\w*\s*[(（]/g;
const MAX_INLINE_COSTLY = 8;

const CalculatorParameters = Type.Object(
  {
    expression: Type.String({
      minLength: 1,
      maxLength: MAX_EXPRESSION_UNITS,
      description: 'Arithmetic such as (1.5 + 2) * 3 ** 2, at most 1,000 characters',
    }),
  },
  { additionalProperties: false },
);

export const calculatorTool = defineTool({
  name: 'calculator',
  toolset: 'data',
  label: 'Calculate',
  description:
    'Calculates with exact decimals: + - * / // (rounded down) % (sign of the divisor) ** and parentheses, the constants pi and e, and the functions ' +
    'sqrt abs round(x, places) floor ceil min max log(x, base; default 10) ln exp sin cos tan (radians). Use it for every calculation whose result matters; do not calculate in your head. ' +
    `No variables, no other calls, no thousands separators; at most ${MAX_EXPRESSION_UNITS} characters, ${MAX_NESTING} nested parentheses, values up to 1e1000. Results without an exact decimal are rounded to 40 digits.`,
  whenToUse: 'A number has to be right and takes more than a glance to work out',
  effect: 'read',
  translations: {
    'zh-CN': {
      label: '计算',
      description:
        '用精确小数计算：+ - * / //（向下取整）%（符号随除数）** 和括号，常数 pi、e，以及函数 ' +
        'sqrt abs round(x, 位数) floor ceil min max log(x, 底)（底默认为 10） ln exp sin cos tan（弧度）。凡是结果重要的计算都用它，不要心算。' +
        `没有变量，不能调用别的函数，不写千位分隔符；最多 ${MAX_EXPRESSION_UNITS} 个字符、${MAX_NESTING} 层括号，数值不超过 1e1000。除不尽的小数保留 40 位有效数字。`,
      whenToUse: '数字必须准确，而且不是一眼就能算出',
      parameters: { expression: '算式，如 (1.5 + 2) * 3 ** 2，最多 1000 个字符' },
    },
  },
  parameters: CalculatorParameters,
  async execute({ expression }, ctx) {
    const costly = expression.match(COSTLY)?.length ?? 0;
    const result = await runCpuTask('calculate', expression, { isLarge: costly > MAX_INLINE_COSTLY, ctx });
    if (!result.ok) return errorResult(inLocale(ctx, result.error, `无法计算：${result.errorZh}`));
    const { value, isRounded } = result;
    const note = isRounded ? inLocale(ctx, ' (rounded)', '（已舍入）') : '';
    return textResult(`${expression.trim()} = ${value}${note}`, { value, isRounded });
  },
});
