import { Type } from '@sinclair/typebox';
import { ADDRESS_PATTERN } from '../../port/approval_address';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolLocale, type ToolResult, textResult } from '../common';
import type { ClarifyOutcome, Question } from '../question';

const ClarifyParameters = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 2_000, description: 'One question, complete and understandable on its own' }),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 4,
        uniqueItems: true,
        description: 'Up to 4 different ready answers to pick from; the person may always answer freely',
      }),
    ),
    to: Type.Optional(
      Type.String({
        pattern: ADDRESS_PATTERN,
        description: 'Somebody else to ask: a colleague as @name, role:name or group:name. Left out: the person',
      }),
    ),
    escalate: Type.Optional(
      Type.Object(
        {
          afterMs: Type.Integer({ minimum: 1_000, maximum: 86_400_000, description: 'Milliseconds without an answer' }),
          to: Type.String({ pattern: ADDRESS_PATTERN, description: 'Whom to ask then' }),
        },
        { additionalProperties: false, description: 'Whom else to ask when nobody has answered in time; only with to' },
      ),
    ),
  },
  { additionalProperties: false },
);

export const clarifyTool = defineTool({
  name: 'clarify',
  toolset: 'interaction',
  label: 'Ask the person',
  description:
    'Asks the person one question. Use it when the task can be read in several ways that lead to different results, when a needed fact is missing, ' +
    'or before a risky step that cannot be undone. Do not use it for what you can find out with other tools, for small details, or to report progress. ' +
    'Ask one thing a call and offer up to 4 choices when likely answers are known; the person sees the questions of one reply together. The result is the answer, or tells you to decide yourself; where the answer cannot be waited for, the question ends your turn and the next message is the answer.',
  whenToUse: 'It is unclear what is wanted, or only the person can decide: do not guess, ask',
  howToUse: {
    title: { en: '## Asking the person', 'zh-CN': '## 向用户提问' },
    lines: [
      {
        en: 'Use clarify when the request can be read in several ways that lead to different work, when something is missing that you cannot find out, or before a step that is risky and hard to undo.',
        'zh-CN': '请求有几种理解、做出来会不同，或缺少自己查不到的信息，或下一步有风险又难以撤回时，使用 clarify。',
      },
      {
        en: 'Do not ask what the context answers, what you can look up, or details on which any sensible choice will do.',
        'zh-CN': '上下文已有答案的、自己能查到的、怎么选都行的细节，不要问。',
      },
      {
        en: 'One question a call, short, with two to four choices where the answers are foreseeable. Ask for everything that is open in one reply: the person sees these questions together.',
        'zh-CN': '每次调用只问一个问题，要短；能预见答案时给出两到四个选项。未定的事在同一条回复里一起问：用户会同时看到这些问题。',
        clarify: 'wait',
      },
      {
        en: 'Without an answer, take the safest sensible choice, go on, and say what you assumed.',
        'zh-CN': '没有得到回答，就取最稳妥合理的选择继续做，并说明自己假定了什么。',
        clarify: 'wait',
      },
      {
        en: 'This run does not wait for answers: a question becomes your reply and ends the turn, and later calls in the same reply do not run. First finish the work that does not depend on the answer. Then ask for everything that is open in one reply, with two to four choices where you can foresee the answers.',
        'zh-CN':
          '这里不会等待回答：问题会成为你的回复并结束本轮，同一条回复里排在它后面的调用不会执行。先做完不依赖回答的部分，再在同一条回复里问清所有未定的事；能预见答案时给出两到四个选项。',
        clarify: 'text',
      },
    ],
  },
  effect: 'external',
  asksPerson: true,
  isResumable: true,
  // Infinity: the deadline of the stored question ends the wait.
  timeoutMs: Number.POSITIVE_INFINITY,
  translations: {
    'zh-CN': {
      label: '询问用户',
      description:
        '向用户提出一个问题。当任务有多种理解且结果不同、缺少必要信息、或将要执行有风险且无法撤销的操作时使用。' +
        '能用其他工具查明的事、琐碎细节以及汇报进度都不要用它。' +
        '每次调用只问一件事；能预料到答案时提供最多 4 个选项；同一条回复里的问题会一起显示给用户。结果就是回答，或告诉你自行决定；无法等待回答时，提问会结束本轮，下一条消息就是回答。',
      whenToUse: '需求不明确，或必须由用户决定：不要猜，先问',
      parameters: {
        question: '一个完整、单独看也能明白的问题',
        choices: '最多 4 个互不相同的备选答案；用户也可以自由回答',
        to: '询问其他人：同事写作 @name，也可用 role:name 或 group:name。省略则询问用户',
        escalate: '无人及时回答时再询问谁；须与 to 同用',
        'escalate.afterMs': '多少毫秒无人回答',
        'escalate.to': '此时询问谁',
      },
    },
  },
  parameters: ClarifyParameters,
  async execute({ question, choices: offered, to, escalate }, ctx) {
    const choices = offered?.length ? offered : undefined;
    const unknown = [to, escalate?.to].find(address => address !== undefined && ctx.colleagues?.findAddress(address) === undefined);
    if (ctx.sessionId !== undefined && unknown !== undefined) return nobodyThere(unknown, ctx);
    if (escalate && to === undefined)
      return errorResult(inLocale(ctx, 'escalate needs to: whom the question asks first.', 'escalate 需要同时给出 to：先询问谁。'));
    const addressed = to === undefined ? {} : { to: ctx.colleagues?.findAddress(to) ?? to, escalate };
    const asked: Question = { question, choices, ...addressed };
    if (ctx.sessionId === undefined) return notAsked(asked, ctx);
    if (!ctx.onClarifyRequest) return questionResult(asked, ctx);
    try {
      const outcome = await (to === undefined
        ? ctx.onClarifyRequest(question, choices)
        : ctx.onClarifyRequest(question, choices, addressed));
      return outcomeResult(outcome, asked, ctx);
    } catch (thrown) {
      if (ctx.signal.aborted) throw thrown;
      return errorResult(undelivered(ctx), { status: 'failed' });
    }
  },
});

/** Formats a question for a person: with numbered choices, one per line, and how to answer. */
export function formatQuestion(question: string, choices: readonly string[] | undefined, locale: ToolLocale): string {
  if (!choices?.length) return question;
  const lines = choices.map((choice, i) => `${i + 1}. ${choice}`);
  return [
    question,
    '',
    ...lines,
    '',
    inLocale({ locale }, 'Answer with a number or in your own words.', '请回复编号，或用自己的话回答。'),
  ].join('\n');
}

/** Joins the questions of one reply into one, numbered and with lettered choices. A single question stays as it is. */
export function joinQuestions(asked: readonly Question[], locale: ToolLocale): Question | undefined {
  const different = [...new Map(asked.map(question => [JSON.stringify(question), question])).values()];
  if (different.length <= 1) return different[0];
  const blocks = different.map(({ question, choices = [] }, i) =>
    [`${i + 1}. ${question}`, ...choices.map((choice, j) => `   ${'abcd'[j]}) ${choice}`)].join('\n'),
  );
  // Questions to different people ask the people of the chat together.
  const [first, ...others] = different;
  const isOneAddress = others.every(({ to }) => to === first?.to);
  return {
    question: [...blocks, inLocale({ locale }, 'Please answer each question by its number.', '请按编号逐一回答。')].join('\n\n'),
    ...(isOneAddress && first?.to !== undefined && { to: first.to, escalate: first.escalate }),
  };
}

/** Returns the question to the caller of a direct call, which has no session and no person to ask. */
function notAsked(asked: Question, ctx: ToolContext): ToolResult {
  const note = inLocale(
    ctx,
    'No person was asked: a direct call has no conversation. The question is:',
    '没有询问任何人：直接调用不属于任何对话。问题如下：',
  );
  const text = formatQuestion(asked.question, asked.choices, ctx.locale);
  return textResult(`${note}\n\n${text}`, { status: 'not_asked', ...asked });
}

const undelivered = (ctx: ToolContext): string =>
  inLocale(
    ctx,
    'The question could not be delivered. Decide yourself from what you know, choose the safest reasonable reading, go on, and say at the end what you assumed.',
    '问题未能送达。请根据已有信息自行判断，选择最稳妥合理的理解继续执行，并在最后说明你的假设。',
  );

function questionResult(asked: Question, ctx: ToolContext): ToolResult {
  const content = inLocale(
    ctx,
    'The question was handed to the person as your answer and this turn ends here. Their next message is the reply.',
    '问题已作为你的回复交给用户，本轮到此结束。用户的下一条消息就是回答。',
  );
  return { ok: true, content, question: asked };
}

function outcomeResult(outcome: ClarifyOutcome, { choices, to }: Question, ctx: ToolContext): ToolResult {
  switch (outcome.status) {
    case 'answered': {
      const answer = resolveChoice(outcome.answer, choices);
      const by = to === undefined ? undefined : outcome.decidedBy;
      const said =
        by === undefined ? inLocale(ctx, 'The person answered:', '用户的回答：') : inLocale(ctx, `${by} answered:`, `${by} 的回答：`);
      return textResult(`${said}\n${answer}`, { status: 'answered', answer, by });
    }
    case 'expired':
      return textResult(
        inLocale(
          ctx,
          'There was no answer in time. Decide yourself from what you know, choose the safest reasonable reading, go on, and say at the end what you assumed. Do not ask this again.',
          '无人在规定时间内回答。请根据已有信息自行判断，选择最稳妥合理的理解继续执行，并在最后说明你的假设。不要重复提问。',
        ),
        { status: 'expired' },
      );
    case 'cancelled':
      return errorResult(inLocale(ctx, 'The question was withdrawn before it was answered.', '问题在得到回答之前已被撤回。'), {
        status: 'cancelled',
      });
  }
}

function nobodyThere(address: string, ctx: ToolContext): ToolResult {
  const known = ctx.colleagues?.listAddresses() ?? [];
  const names = known.join(', ');
  return errorResult(
    known.length === 0
      ? inLocale(
          ctx,
          'Nobody can be asked by name here. Leave to and escalate out, and ask the person.',
          '这里没有可以指名询问的人。请去掉 to 和 escalate，直接询问用户。',
        )
      : inLocale(
          ctx,
          `There is no ${address} who can answer. These can be asked: ${names}.`,
          `没有可以回答的 ${address}。可以询问：${names}。`,
        ),
  );
}

/** Replaces a bare number by the text of that choice. */
function resolveChoice(answer: string, choices: readonly string[] | undefined): string {
  const number = /^\s*([1-9])[.)]?\s*$/.exec(answer)?.[1];
  const isChoiceItself = choices?.includes(answer.trim());
  return (number && !isChoiceItself && choices?.[Number(number) - 1]) || answer;
}
