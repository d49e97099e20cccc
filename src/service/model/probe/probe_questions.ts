/** The questions of a probe, in their order: each asks the model something small and looks at what comes back. */
import type { AssistantMessage, ChatMessage, LlmAnswer, WireTool } from '../../../port/llm';
import { contextOverflow } from '../../../port/model_failures';
import type { Bilingual } from '../../../utils/bilingual';
import { type Asked, type Finding, no, type ProbeCall, refusal, say, shown, yes } from './probe_call';
import { askForThoughts, askMovedConversation, askWithLimit } from './probe_dialect';
import { makePdf } from './probe_pdf';

export interface ProbeQuestion {
  name: string;
  title: Bilingual;
  /** Rejects with an AppError `model_*`, which becomes the finding. */
  ask(call: ProbeCall): Promise<Finding>;
  /** Without this the others mean nothing. */
  isNeeded?: true;
  /** Asked when the operator wants it: a server that takes the request bills it. */
  isLarge?: true;
}

const WEATHER: WireTool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Returns the temperature in a city now.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const DEGREES = '37';
/** The answer behind the result of the tool. */
const answersDegrees = (answer: LlmAnswer): Finding => (answer.message.content?.includes(DEGREES) ? yes() : no(shown(answer)));

const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC',
  'base64',
);
const WORD_PDF = makePdf('TANGERINE');
const JSON_ANSWER = 'How many legs does a cat have? Answer with a JSON object that has the one field "legs", a number. Write nothing else.';
const LEGS = { type: 'object', properties: { legs: { type: 'integer' } }, required: ['legs'], additionalProperties: false };
/** More tokens than most windows have; the longest windows have 1,048,576 and more. */
const MANY_WORDS = 1_100_000;

export const PROBE_QUESTIONS: readonly ProbeQuestion[] = [
  {
    name: 'answer',
    title: { en: 'It answers', 'zh-CN': '能回答' },
    isNeeded: true,
    ask: async call => yes(shown(await call.ask({ messages: say('Answer with the word OK.') }))),
  },
  {
    name: 'list',
    title: { en: 'The server lists the model', 'zh-CN': '服务器的列表中有该模型' },
    async ask(call) {
      const names = await call.listModels();
      const { model } = call.definition;
      return names.includes(model) ? yes() : no({ en: `${names.length} others`, 'zh-CN': `其他 ${names.length} 个` });
    },
  },
  {
    name: 'usage',
    title: { en: 'It counts tokens in streams', 'zh-CN': '流中有 token 用量' },
    async ask(call) {
      const { usage } = await call.ask({ messages: say('Answer with the word OK.') });
      return usage?.inputTokens ? yes(`${usage.inputTokens} + ${usage.outputTokens}`) : no('');
    },
  },
  {
    name: 'system',
    title: { en: 'It follows the system prompt', 'zh-CN': '遵循系统提示' },
    async ask(call) {
      const rule: ChatMessage = { role: 'system', content: 'Whatever the person writes: answer with the word PEAR and nothing else.' };
      const answer = await call.ask({ messages: [rule, ...say('What is 1 + 1?')] });
      return /pear/i.test(answer.message.content ?? '') ? yes() : no(shown(answer));
    },
  },
  { name: 'limit', title: { en: 'It limits the length of an answer', 'zh-CN': '能限制回答的长度' }, ask: askWithLimit },
  {
    name: 'call',
    title: { en: 'It calls a tool', 'zh-CN': '能调用工具' },
    async ask(call) {
      const answer = await askForWeather(call, 'Use the tool: how warm is it in Bern?');
      return callsOf(answer, 'bern').length > 0 ? yes(idsOf(answer)) : no(shown(answer));
    },
  },
  {
    name: 'result',
    title: { en: 'It reads the result of its call', 'zh-CN': '能读取自己调用的结果' },
    async ask(call) {
      const answer = await askForWeather(call, 'Use the tool: how warm is it in Bern?');
      if (callsOf(answer, '').length === 0) return no(shown(answer));
      const messages = [...say('Use the tool: how warm is it in Bern?'), answer.message, ...resultsOf(answer.message)];
      return answersDegrees(await call.ask({ messages, tools: [WEATHER] }));
    },
  },
  {
    name: 'parallel',
    title: { en: 'It calls tools side by side', 'zh-CN': '能并行调用工具' },
    async ask(call) {
      const answer = await askForWeather(call, 'Use the tool for Bern and for Rome, with both calls in one answer.');
      const { length } = callsOf(answer, '');
      return length > 1 ? yes(`${length}`) : no(`${length}`);
    },
  },
  {
    name: 'alone',
    title: { en: 'It can be held to one call at a time', 'zh-CN': '可以限制为一次只调用一个工具' },
    async ask(call) {
      const answer = await askForWeather(call, 'Use the tool for Bern and for Rome, with both calls in one answer.', false);
      const { length } = callsOf(answer, '');
      return length <= 1 ? yes() : no(`${length}`);
    },
  },
  {
    name: 'moved',
    title: { en: 'It takes over a conversation of another server', 'zh-CN': '能接手另一服务器上的对话' },
    ask: call => askMovedConversation(call, { tool: WEATHER, result: DEGREES, isRight: answersDegrees }),
  },
  {
    name: 'image',
    title: { en: 'It sees images', 'zh-CN': '能看图片' },
    async ask(call) {
      const images = new Map([['red', RED_PNG]]);
      const image = { id: 'red', mediaType: 'image/png' as const, bytes: RED_PNG.length };
      const content = 'Which colour has this image? Answer with one word.';
      const messages = [{ role: 'user' as const, content, images: [image] }];
      return askForAbility(call, 'images', { asked: { messages, images }, right: /\bred\b/i });
    },
  },
  {
    name: 'file',
    title: { en: 'It reads PDF files', 'zh-CN': '能读 PDF 文件' },
    async ask(call) {
      const images = new Map([['word', WORD_PDF]]);
      const file = { id: 'word', mediaType: 'application/pdf' as const, bytes: WORD_PDF.length, name: 'word.pdf' };
      const content = 'Which word is in the file? Answer with this word alone.';
      const messages = [{ role: 'user' as const, content, files: [file] }];
      return askForAbility(call, 'files', { asked: { messages, images }, right: /tangerine/i });
    },
  },
  { name: 'thoughts', title: { en: 'It shows thoughts', 'zh-CN': '会给出思考过程' }, ask: askForThoughts },
  {
    name: 'json',
    title: { en: 'It can be held to JSON', 'zh-CN': '可以要求只回答 JSON' },
    ask: call => askForJson(call, { type: 'json_object' }),
  },
  {
    name: 'schema',
    title: { en: 'It can be held to a schema', 'zh-CN': '可以要求符合 schema' },
    ask: call => askForJson(call, { type: 'json_schema', json_schema: { name: 'legs', schema: LEGS, strict: true } }),
  },
  {
    name: 'window',
    title: { en: 'It refuses a request that is too long', 'zh-CN': '拒绝过长的请求' },
    isLarge: true,
    async ask(call) {
      try {
        const { usage } = await call.ask({ messages: say(`${'word '.repeat(MANY_WORDS)}\nAnswer with the word OK.`) });
        const tokens = usage?.inputTokens ?? 0;
        return no({ en: `it took ${tokens} tokens`, 'zh-CN': `接受了 ${tokens} 个 token` });
      } catch (thrown) {
        const overflow = contextOverflow(thrown);
        if (!overflow) return refusal(thrown);
        if (overflow.contextTokens !== undefined) call.found.contextWindow = overflow.contextTokens;
        return yes(overflow.said ?? '');
      }
    },
  },
];

const askForWeather = (call: ProbeCall, content: string, parallelToolCalls?: false): Promise<LlmAnswer> =>
  call.ask({ messages: say(content), tools: [WEATHER], parameters: { parallelToolCalls } });

const callsOf = ({ message: { tool_calls: calls = [] } }: LlmAnswer, word: string) =>
  calls.filter(({ function: { name, arguments: text } }) => name === WEATHER.function.name && text.toLowerCase().includes(word));

/** The ids of calls show how long the server's own ids are. */
const idsOf = ({ message }: LlmAnswer): string => (message.serverData?.calls?.[0]?.id ?? message.tool_calls?.[0]?.id ?? '').slice(0, 64);

const resultsOf = ({ tool_calls: calls = [] }: AssistantMessage): ChatMessage[] =>
  calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `${DEGREES} degrees` }));

/**
 * Finds out what the model takes beside text. A wrong answer and a refusal are a no, which models.yaml says too: an earlier `true` may be left. Any
 * other error leaves the field as it is.
 */
async function askForAbility(
  call: ProbeCall,
  field: 'images' | 'files',
  { asked, right }: { asked: Asked; right: RegExp },
): Promise<Finding> {
  try {
    const answer = await call.ask(asked);
    call.found[field] = right.test(answer.message.content ?? '');
    return call.found[field] ? yes() : no(shown(answer));
  } catch (thrown) {
    const finding = refusal(thrown);
    if (finding.isRefused) call.found[field] = false;
    return finding;
  }
}

async function askForJson(call: ProbeCall, response_format: object): Promise<Finding> {
  const answer = await call.ask({ messages: say(JSON_ANSWER), parameters: { extra: { response_format } } });
  try {
    const value: unknown = JSON.parse(answer.message.content ?? '');
    return typeof value === 'object' && value !== null && 'legs' in value ? yes() : no(shown(answer));
  } catch {
    return no(shown(answer));
  }
}
