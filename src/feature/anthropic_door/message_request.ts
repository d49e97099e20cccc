/** Decodes the bodies of /v1/messages, and says what their fields mean for a run. */
import type { TObject } from '@sinclair/typebox';
import { withoutNulls } from '../../controller/model_door/foreign_fields';
import type { GivenRequest } from '../../controller/model_door/given_run';
import { invalidField } from '../../errors';
import type { CallerTool } from '../../port/caller';
import type { ThinkingLevel } from '../../port/llm';
import { definedFields } from '../../utils/defined_fields';
import { toCallerTools } from '../../wire/caller_tools';
import { createDecoder } from '../../wire/decode';
import { refusal } from '../../wire/refusal';
import { NO_THREADS } from './anthropic_error';
import { fieldsOf } from './content_block';
import { readConversation } from './message_content';
import { MessageRequest, TokenCountRequest } from './message_request_schema';

const decodeMessage = createDecoder(MessageRequest);
const decodeTokenCount = createDecoder(TokenCountRequest);

/** Decodes a request for an answer. Null counts as absent; fields without a meaning here stay. Throws `invalid_request`. */
export const decodeMessageRequest = (body: unknown): MessageRequest => decodeMessage(supported(body));

/** Decodes a request that counts tokens, as decodeMessageRequest does. */
export const decodeTokenCountRequest = (body: unknown): TokenCountRequest => decodeTokenCount(supported(body));

/** Throws `invalid_request` for a field that asks for something the gateway does not do. */
function supported(body: unknown): unknown {
  const fields = withoutNulls(body);
  const { mcp_servers: servers, thread } = fieldsOf(fields);
  if (thread !== undefined)
    throw invalidField(
      '/thread',
      'is not supported; send the whole conversation, or x-session-id.',
      '不受支持；请发送整个对话，或使用 x-session-id。',
      {
        details: { reason: NO_THREADS },
      },
    );
  if (Array.isArray(servers) && servers.length > 0)
    throw refusal(
      '/mcp_servers',
      'is not supported; the operator names MCP servers in mcp.yaml',
      '不受支持；MCP 服务器由运维人员写在 mcp.yaml 中',
    );
  return fields;
}

/** Reads the wishes of a request for its run. `isTail`: a session has the earlier messages. Throws `invalid_request`. */
export function toGivenRequest(body: TokenCountRequest, schema: TObject, { isTail }: { isTail: boolean }): GivenRequest {
  return {
    door: 'anthropic',
    body,
    schema,
    read: readConversation(body, { isTail }),
    toCaller: passed => toCallerContext(body, passed),
  };
}

/** Adds to toGivenRequest what only a request for an answer has. */
export function toMessageRun(request: MessageRequest, { isTail }: { isTail: boolean }): GivenRequest {
  const { temperature, top_p: topP, max_tokens: maxOutputTokens, stop_sequences: stop = [], metadata } = request;
  const userId = metadata?.user_id;
  return {
    ...toGivenRequest(request, MessageRequest, { isTail }),
    parameters: { temperature, topP, maxOutputTokens, stop: stop.length > 0 ? stop : undefined },
    metadata: typeof userId === 'string' ? { user_id: userId } : undefined,
  };
}

/** True when the answer shows the thoughts of the model. */
export const showsThinking = ({ thinking }: MessageRequest): boolean =>
  thinking !== undefined && thinking.type !== 'disabled' && thinking.display !== 'omitted';

function toCallerContext(request: TokenCountRequest, passed: Readonly<Record<string, unknown>>): ReturnType<GivenRequest['toCaller']> {
  const { tool_choice: choice, output_config: output } = request;
  const tools = readTools(request);
  const mustCall = choice?.type === 'any' || choice?.type === 'tool';
  // Fields of a model call have the form of the chat completions API, see port/llm.ts.
  const modelFields = {
    ...passed,
    ...definedFields({
      tool_choice: mustCall ? readChoice(choice, tools) : undefined,
      parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
      response_format: output?.format
        ? { type: 'json_schema', json_schema: { name: 'answer', schema: output.format.schema, strict: true } }
        : undefined,
    }),
  };
  return {
    tools: choice?.type === 'none' ? [] : tools,
    onlyCallerTools: mustCall || undefined,
    thinkingLevel: thinkingLevelOf(request),
    modelFields: Object.keys(modelFields).length > 0 ? modelFields : undefined,
  };
}

function readTools({ tools = [] }: TokenCountRequest): CallerTool[] {
  const declared = tools.map(({ type, name, description, input_schema: parameters }, i) => {
    const at = `/tools/${i}`;
    if (type !== undefined && type !== null && type !== 'custom')
      throw refusal(
        `${at}/type`,
        'must be custom: the agent has web and file tools of its own, and runs them itself',
        '必须是 custom：智能体自带网页和文件工具，并自行执行',
      );
    return { at, schemaAt: `${at}/input_schema`, name, description, parameters };
  });
  return toCallerTools(declared, '/tools');
}

function readChoice({ type, name }: { type: string; name?: string }, tools: readonly CallerTool[]): unknown {
  if (tools.length === 0) throw refusal('/tool_choice/type', `${type} needs tools`, `${type} 需要 tools`);
  if (type === 'any') return 'required';
  if (tools.some(tool => tool.name === name)) return { type: 'function', function: { name } };
  throw refusal('/tool_choice/name', 'must be the name of one of the tools', '必须是 tools 中某个工具的名字');
}

const EFFORT_LEVELS = { low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const;

/** Most tokens of a budget -> level. */
const BUDGET_LEVELS: readonly (readonly [number, ThinkingLevel])[] = [
  [1_024, 'minimal'],
  [4_096, 'low'],
  [10_240, 'medium'],
];

/** Returns undefined when the request leaves the level to the agent. */
function thinkingLevelOf({ thinking, output_config: output }: TokenCountRequest): ThinkingLevel | undefined {
  if (thinking?.type === 'disabled') return 'off';
  const { budget_tokens: budget } = thinking ?? {};
  if (thinking?.type === 'enabled' && budget !== undefined) return BUDGET_LEVELS.find(([most]) => budget <= most)?.[1] ?? 'high';
  if (output?.effort) return EFFORT_LEVELS[output.effort];
  // Anthropic's own default effort.
  return thinking ? 'high' : undefined;
}
