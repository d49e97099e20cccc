/** Resolves a tool call before it runs: finds the tool, parses and validates the arguments, or refuses with a reason for the model. */
import { UNNAMED_CALL, type WireToolCall } from '../../port/llm';
import { errorResult, inLocale, type ToolLocale } from '../../tools/common';
import { validateArguments } from '../../tools/validation';
import { clipText } from '../../utils/clip_text';
import type { ResolvedCall } from '../resolved_call';
import type { AssembledTools } from '../tool_assembler';
import { parseArguments, repairName } from './argument_repair';

const MAX_WALKED_UNITS = 100_000;
const MAX_QUOTED_UNITS = 1_000;

/** Returns true when the call may have changed the workspace, the session or the world outside. */
export const mayChangeState = ({ tool }: Pick<ResolvedCall, 'tool'>): boolean => tool?.effect === 'write' || tool?.effect === 'external';

/** Finds the tool and checks the arguments. `locale`: of a refusal. Never throws. */
export function resolveCall(call: WireToolCall, tools: AssembledTools, locale: ToolLocale = 'en'): ResolvedCall {
  const { name: givenName, arguments: text } = call.function;
  const isKnown = tools.byName.has(givenName) || tools.addLeftOut?.(givenName) === true;
  const name = isKnown ? givenName : (repairName(givenName, tools) ?? givenName);
  const tool = tools.byName.get(name);
  const parsed = parseArguments(text);
  const found = { id: call.id, name, tool, args: parsed.ok ? parsed.value : text };
  // Refused arguments are only displayed. Long ones are shown as raw text, because walking 100,000 keys takes 0.1 s.
  const shown = text.length > MAX_WALKED_UNITS ? { ...found, args: text } : found;
  const refuse = (en: string, zhCN: string): ResolvedCall => ({ ...shown, refusal: errorResult(inLocale({ locale }, en, zhCN)) });
  if (!tool) return refuse(...unknownTool(givenName === UNNAMED_CALL ? undefined : name, tools));
  const sent = clipText(text, MAX_QUOTED_UNITS);
  if (!parsed.ok)
    return refuse(
      `The arguments of ${name} are not valid JSON: ${parsed.message}. ${askToResend(sent)}`,
      `${name} 的参数不是有效的 JSON：${parsed.messageZh}。${askToResendZh(sent)}`,
    );
  if (!isObject(parsed.value))
    return refuse(
      `The arguments of ${name} must be a JSON object. ${askToResend(sent)}`,
      `${name} 的参数必须是 JSON 对象。${askToResendZh(sent)}`,
    );
  const valid = validateArguments(tool, parsed.value);
  if (!valid.ok) return refuse(valid.message, valid.messageZh);
  const isHarmless = tool.effect === 'read' || tool.effect === 'idempotent';
  if (parsed.isRepaired && !isHarmless) {
    const meant = clipText(JSON.stringify(valid.value), 2_000);
    return refuse(
      `Not run: the arguments of ${name} are not valid JSON. If you meant ${meant}, send the call again with that.`,
      `没有运行：${name} 的参数不是有效的 JSON。如果你的意思是 ${meant}，请用它再次调用。`,
    );
  }
  return { ...found, args: valid.value, note: parsed.isRepaired ? readAs(valid.value, locale) : undefined };
}

function unknownTool(name: string | undefined, { names }: AssembledTools): [en: string, zhCN: string] {
  const shown = name === undefined ? undefined : clipText(name, 100);
  const listed = names.join(', ');
  const known = listed ? `Available tools: ${listed}.` : 'No tools are available in this run.';
  const knownZh = listed ? `可用的工具：${listed}。` : '本次运行没有可用的工具。';
  return shown === undefined
    ? [`This call names no tool. ${known}`, `这次调用没有写明工具。${knownZh}`]
    : [`There is no tool "${shown}". ${known}`, `没有名为“${shown}”的工具。${knownZh}`];
}

/** Quotes the sent text, because the model sees `{}` in its own history. */
const askToResend = (sent: string): string => `Send one JSON object. You sent: ${sent}`;
const askToResendZh = (sent: string): string => `请发送一个 JSON 对象。你发送的是：${sent}`;

function readAs(args: unknown, locale: ToolLocale): string {
  const shown = clipText(JSON.stringify(args), MAX_QUOTED_UNITS);
  return inLocale(
    { locale },
    `[The arguments were not valid JSON; they were read as ${shown}]`,
    `[参数不是有效的 JSON；已按 ${shown} 读取]`,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
