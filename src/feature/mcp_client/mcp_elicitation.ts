/**
 * Puts a server's question to the person who owns the run, as a clarify question that names the server: a stranger's question must not look like one
 * of the agent.
 */
import type { McpElicitation, McpElicitationAnswer } from '../../port/mcp';
import { inLocale, type ToolContext } from '../../tools/common';
import { expectation, type Field, type FieldValue, fieldsOf, readForm, readValue } from './elicitation_form';
import { foreignText } from './mcp_tool_texts';

type Locale = Pick<ToolContext, 'locale'>;
type Asker = Locale & { onClarifyRequest: NonNullable<ToolContext['onClarifyRequest']> };

const MAX_MESSAGE_UNITS = 1_000;
const MAX_QUESTION_UNITS = 8_000;
/** The most choices, as in the clarify tool. */
const MAX_CHOICES = 4;
const MAX_TRIES = 2;

/** Returns the server's message as it is shown to people. */
export const questionText = ({ message }: McpElicitation): string => foreignText(message, MAX_MESSAGE_UNITS);

/**
 * Resolves with the answer for the server. One question covers all fields; an answer that does not fit is asked for once more and then declined.
 * Never rejects.
 */
export async function askPerson(question: McpElicitation, server: string, ctx: Asker): Promise<McpElicitationAnswer> {
  const fields = fieldsOf(question.schema);
  if (!fields) return { action: 'decline' };
  const text = questionText(question);
  const intro = inLocale(ctx, `The MCP server "${server}" asks: ${text}`, `MCP 服务器“${server}”提问：${text}`);
  const form = formFor(fields, ctx);
  let hint = '';
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const outcome = await ctx.onClarifyRequest(
        [intro, ...form.lines, hint].filter(Boolean).join('\n').slice(0, MAX_QUESTION_UNITS),
        form.choices,
      );
      if (outcome.status !== 'answered') return { action: 'cancel' };
      const answer = form.read(outcome.answer.trim());
      if (!('problem' in answer)) return answer;
      hint = hintFor(answer.problem, ctx);
    }
    return { action: 'decline' };
  } catch {
    return { action: 'cancel' };
  }
}

/** The text below the server's message, and how an answer is understood. */
interface Form {
  lines: string[];
  choices: string[];
  read(answer: string): McpElicitationAnswer | { problem: Field };
}

function formFor(fields: readonly Field[], ctx: Locale): Form {
  const [first, ...others] = fields;
  if (!first) return consentForm(ctx);
  return others.length === 0 ? singleForm(first, ctx) : linesForm(fields, ctx);
}

function consentForm(ctx: Locale): Form {
  const choices = [inLocale(ctx, 'Accept', '同意'), declineWord(ctx)];
  return {
    lines: [],
    choices,
    read: answer => (toChoice(answer, choices) === choices[0] ? { action: 'accept', content: {} } : { action: 'decline' }),
  };
}

function singleForm(field: Field, ctx: Locale): Form {
  const skip = inLocale(ctx, 'Leave empty', '留空');
  const fixed = choicesOf(field, ctx);
  const choices = [...fixed.map(({ label }) => label), ...(field.isRequired ? [] : [skip]), declineWord(ctx)];
  return {
    lines: [fixed.length > 0 ? field.title : `${field.title} (${expectation(field, ctx)})`],
    choices,
    read(typed) {
      // A number stands for a choice only where no number can be a value.
      const answer = fixed.length > 0 ? toChoice(typed, choices) : typed;
      if (answer === declineWord(ctx)) return { action: 'decline' };
      if (answer === skip && !field.isRequired) return { action: 'accept', content: {} };
      const value = fixed.find(({ label }) => label === answer)?.value ?? readValue(answer, field);
      return value === undefined ? { problem: field } : { action: 'accept', content: { [field.name]: value } };
    },
  };
}

function linesForm(fields: readonly Field[], ctx: Locale): Form {
  const how = inLocale(
    ctx,
    'Answer with one line for each field, as `name: value`. Optional fields can be left out.',
    '请每行回答一个字段，格式为“名称: 值”。可不填的字段可以省略。',
  );
  const need = ({ isRequired }: Field) => (isRequired ? inLocale(ctx, 'required', '必填') : inLocale(ctx, 'optional', '可不填'));
  return {
    lines: [how, ...fields.map(field => `- ${field.name}: ${field.title} (${need(field)}; ${expectation(field, ctx)})`)],
    choices: [declineWord(ctx)],
    read(typed) {
      if (typed === declineWord(ctx)) return { action: 'decline' };
      const read = readForm(typed, fields);
      return 'problem' in read ? read : { action: 'accept', content: read.content };
    },
  };
}

/** Returns the choices for values that are few. A person can also type the value. */
function choicesOf({ type, options, isRequired }: Field, ctx: Locale): { label: string; value: FieldValue }[] {
  if (type === 'boolean') {
    return [
      { label: inLocale(ctx, 'Yes', '是'), value: true },
      { label: inLocale(ctx, 'No', '否'), value: false },
    ];
  }
  const room = MAX_CHOICES - (isRequired ? 1 : 2);
  return type === 'string' && options && options.length <= room ? options : [];
}

const hintFor = (field: Field, ctx: Locale): string =>
  inLocale(
    ctx,
    `The last answer did not fit: ${field.name} takes ${expectation(field, ctx)}.`,
    `上一次的回答不符合要求：${field.name} 应为${expectation(field, ctx)}。`,
  );

/** Replaces a bare number by the choice at that place. */
function toChoice(answer: string, choices: readonly string[]): string {
  const place = /^([1-9])[.)]?$/.exec(answer)?.[1];
  return (place !== undefined && choices[Number(place) - 1]) || answer;
}

const declineWord = (ctx: Locale): string => inLocale(ctx, 'Decline', '拒绝');
