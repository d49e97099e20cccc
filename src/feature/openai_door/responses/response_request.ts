/**
 * Reads the body of POST /v1/responses. Fields that the gateway does not know are ignored, because clients send more of them with each release;
 * a wrong type, and a field whose meaning it cannot give, is `invalid_request` with a JSON pointer.
 */
import type { Static } from '@sinclair/typebox';
import type { CallerContext } from '../../../port/caller';
import type { ModelParameters } from '../../../port/model_parameters';
import type { RunLimits } from '../../../port/store/runs';
import { definedFields } from '../../../utils/defined_fields';
import { toCallerTools } from '../../../wire/caller_tools';
import { createDecoder } from '../../../wire/decode';
import { refusal } from '../../../wire/refusal';
import { decodeAt, type ItemSources, type ReadInput, readInput } from '../items/input_items';
import { type ResponseSettings, runIdOf } from './response_object';
import { type Format, FunctionChoice, FunctionTool, LEVELS, MODES, ResponseRequest, type ToolChoice } from './response_request_schema';

type Body = Static<typeof ResponseRequest>;

/** A decoded request. */
export interface ResponseCall {
  input: ReadInput;
  model: string;
  isStreamed: boolean;
  isBackground: boolean;
  isKept: boolean;
  /** The run of the response that it continues. */
  previousRunId?: string;
  /** The conversation that it continues. */
  conversationId?: string;
  instructions?: string;
  caller: CallerContext;
  parameters: ModelParameters;
  limits: RunLimits;
  metadata?: Record<string, string>;
  /** The settings as the response repeats them. */
  settings: ResponseSettings;
}

const decodeBody = createDecoder(ResponseRequest);
const decodeTool = createDecoder(FunctionTool);
const decodeChoice = createDecoder(FunctionChoice);

/** Reads the body of a request. Rejects `invalid_request`. */
export async function readResponseRequest(value: unknown, sources: ItemSources): Promise<ResponseCall> {
  const body = decodeBody(withoutNulls(value));
  refuseUnsupported(body);
  refuseOtherAnswers(body);
  const tools = (body.tools ?? []).map((tool, i) => readTool(tool, `/tools/${i}`));
  const choice = readChoice(body.tool_choice, tools);
  const { instructions, metadata, conversation, previous_response_id: previous } = body;
  const previousRunId = previous === undefined ? undefined : runIdOf(previous);
  return {
    input: await readInput(body.input, sources),
    model: body.model ?? 'default',
    isStreamed: body.stream === true,
    isBackground: body.background === true,
    isKept: body.store !== false,
    previousRunId,
    conversationId: typeof conversation === 'object' ? conversation.id : conversation,
    instructions: instructions !== undefined && instructions.trim() !== '' ? instructions : undefined,
    caller: callerOf(body, { tools, choice }),
    parameters: parametersOf(body),
    limits: body.max_tool_calls === undefined ? {} : { maxToolCalls: body.max_tool_calls },
    metadata,
    settings: settingsOf(body, { tools, choice }),
  };
}

const NESTED: ReadonlySet<string> = new Set(['reasoning', 'text', 'format']);

/** Clients write null for fields that they leave out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== null);
  const nested = (name: string, field: unknown) => (NESTED.has(name) ? withoutNulls(field) : field);
  return Object.fromEntries(entries.map(([name, field]) => [name, nested(name, field)]));
}

/** Refuses fields that would change the answer and that the gateway does not have: ignoring them silently would mislead the client. */
function refuseUnsupported(body: Body & Record<string, unknown>): void {
  if (body.conversation !== undefined && body.previous_response_id !== undefined)
    throw refusal(
      '/conversation',
      'cannot stand beside previous_response_id; send one of them',
      '不能与 previous_response_id 同时出现；只能填其中一个',
    );
  if (body['prompt'] !== undefined)
    throw refusal('/prompt', 'is not supported; write the text into instructions', '不受支持；请把文字写进 instructions');
  if (body.background && body.store === false) throw refusal('/store', 'must be true for a background response', '后台响应必须为 true');
}

/** Refuses several answers and log probabilities: a run has one answer, and not every model tells probabilities. */
export function refuseOtherAnswers({ n, logprobs, top_logprobs: most, include }: Record<string, unknown>): void {
  if (n !== undefined && n !== 1) throw refusal('/n', 'must be 1: a run has one answer', '必须是 1：一个运行只有一个回答');
  if (logprobs !== undefined && logprobs !== false) throw refusal('/logprobs', 'is not supported', '不受支持');
  if (most !== undefined && most !== 0) throw refusal('/top_logprobs', 'is not supported', '不受支持');
  const place = Array.isArray(include) ? include.indexOf('message.output_text.logprobs') : -1;
  if (place !== -1) throw refusal(`/include/${place}`, 'is not supported: answers have no log probabilities', '不受支持：回答没有对数概率');
}

function readTool(tool: { type: string }, path: string): FunctionTool {
  if (tool.type === 'function') return decodeAt(decodeTool, withoutNulls(tool), path);
  throw refusal(`${path}/type`, 'must be function; the agent brings its other tools itself', '必须是 function；其他工具由智能体自带');
}

function readChoice(choice: Body['tool_choice'], tools: readonly FunctionTool[]): ToolChoice {
  if (choice === undefined) return 'auto';
  const read = typeof choice === 'string' ? MODES.find(mode => mode === choice) : decodeAt(decodeChoice, choice, '/tool_choice');
  if (!read)
    throw refusal('/tool_choice', `must be one of ${MODES.join(', ')}, or a function`, `必须是 ${MODES.join('、')} 之一，或一个函数`);
  if (typeof read === 'object' && !tools.some(({ name }) => name === read.name))
    throw refusal('/tool_choice/name', 'must be the name of a tool of the request', '必须是请求中某个工具的名字');
  if (read === 'required' && tools.length === 0)
    throw refusal('/tool_choice', 'cannot be required without tools', '没有 tools 时不能是 required');
  return read;
}

interface Tools {
  tools: readonly FunctionTool[];
  choice: ToolChoice;
}

function callerOf(body: Body, { tools, choice }: Tools): CallerContext {
  const { parallel_tool_calls: isParallel, reasoning, text } = body;
  const mustCall = choice === 'required' || typeof choice === 'object';
  const declared = toCallerTools(
    tools.map((tool, i) => ({ at: `/tools/${i}`, ...tool })),
    '/tools',
  );
  const modelFields = definedFields({
    tool_choice:
      choice === 'required' ? choice : typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : undefined,
    parallel_tool_calls: isParallel === false ? false : undefined,
    response_format: text?.format && text.format.type !== 'text' ? toResponseFormat(text.format) : undefined,
  });
  return {
    tools: choice === 'none' ? [] : declared,
    onlyCallerTools: mustCall || undefined,
    thinkingLevel: reasoning?.effort === undefined ? undefined : LEVELS[reasoning.effort],
    modelFields: Object.keys(modelFields).length > 0 ? modelFields : undefined,
  };
}

/** Chat completions nest the schema, responses do not. */
function toResponseFormat({ type, ...schema }: Static<typeof Format>): Record<string, unknown> {
  return type === 'json_schema' ? { type, json_schema: { name: 'answer', ...schema } } : { type };
}

function parametersOf({ temperature, top_p: topP, max_output_tokens: maxOutputTokens, text }: Body): ModelParameters {
  return {
    temperature,
    topP,
    maxOutputTokens,
    extra: text?.verbosity === undefined ? undefined : { verbosity: text.verbosity },
  };
}

function settingsOf(body: Body, { tools, choice }: Tools): ResponseSettings {
  return {
    background: body.background === true,
    conversation:
      body.conversation === undefined
        ? null
        : typeof body.conversation === 'object'
          ? { id: body.conversation.id }
          : { id: body.conversation },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    model: body.model ?? 'default',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    store: body.store !== false,
    temperature: body.temperature ?? null,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: choice,
    tools: tools.map(tool => ({
      ...tool,
      description: tool.description ?? null,
      parameters: tool.parameters ?? null,
      strict: tool.strict ?? false,
    })),
    top_p: body.top_p ?? null,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
  };
}
