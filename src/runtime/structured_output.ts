/** Answers as JSON of a caller's schema: what the prompt says about it, how an answer is read and checked, and the one repair. */
import { AppError } from '../errors';
import type { ToolLocale } from '../tools/common';
import { plainSchema, SchemaTooComplex } from '../tools/json_schema';
import { clipStart } from '../utils/clip_text';

export type OutputSchema = Readonly<Record<string, unknown>>;

/** The value of an answer, or the problems in it: one line each, as the model reads them. */
export type ReadOutput = { ok: true; value: unknown } | { ok: false; problems: string };

const MAX_PROBLEMS = 5;
const MAX_PROBLEM_UNITS = 300;

interface OutputTexts {
  title: string;
  rule: string;
  repair: (problems: string) => string;
}

const TEXTS: Record<ToolLocale, OutputTexts> = {
  en: {
    title: '# Form of the answer',
    rule: 'A program reads your last answer of this turn. Write it as one JSON value that matches this JSON Schema, without any other text and without a code fence:',
    repair: problems => `Your answer is not the JSON that the program reads. Write the whole answer again, as JSON alone.\n${problems}`,
  },
  'zh-CN': {
    title: '# 回答的形式',
    rule: '本轮的最后一个回答由程序读取。请只写一个符合此 JSON Schema 的 JSON 值，不要其他文字，也不要代码块标记：',
    repair: problems => `你的回答不是程序能读取的 JSON。请重新写出完整的回答，只写 JSON。\n${problems}`,
  },
};

/** Returns the part of the prompt that asks for the form. */
export function outputInstructions(schema: OutputSchema, locale: ToolLocale): string {
  const { title, rule } = TEXTS[locale];
  return `${title}\n${rule}\n${JSON.stringify(schema)}`;
}

/** Reads an answer, with or without a code fence around it, and checks it. */
export function readOutput(text: string, schema: OutputSchema): ReadOutput {
  const value = parseAnswer(text);
  if (value === undefined) return { ok: false, problems: '- It is not valid JSON.' };
  const checker = plainSchema(schema);
  if ('problem' in checker) return { ok: false, problems: `- ${checker.problem.en}` };
  try {
    const errors = checker.errorsOf(value.json);
    if (errors.length === 0) return { ok: true, value: value.json };
    const lines = errors.slice(0, MAX_PROBLEMS).map(({ instancePath, message = 'is not valid' }) => `- ${instancePath || '/'} ${message}`);
    return { ok: false, problems: [...new Set(lines)].map(line => clipStart(line, MAX_PROBLEM_UNITS)).join('\n') };
  } catch (thrown) {
    if (!(thrown instanceof SchemaTooComplex)) throw thrown;
    return { ok: false, problems: '- It is too large to be checked.' };
  }
}

/** The message for the model after an answer that does not match. */
export const repairNote = (problems: string, locale: ToolLocale): string => TEXTS[locale].repair(problems);

/** The error of a run whose repaired answer does not match either. */
export const outputInvalid = (problems: string): AppError =>
  new AppError('output_invalid', {
    message: `The answer does not match output.schema, also after one repair:\n${problems}`,
    messageZh: `回答不符合 output.schema，修正一次后仍不符合：\n${problems}`,
  });

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i;

function parseAnswer(text: string): { json: unknown } | undefined {
  const trimmed = text.trim();
  try {
    return { json: JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed) };
  } catch {
    return undefined;
  }
}
