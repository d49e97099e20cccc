/**
 * The body of POST /agui/:agent: RunAgentInput of AG-UI 1.0 (https://docs.ag-ui.com). Clients send more fields with each version, so unknown ones
 * are ignored; `readThread` checks the messages.
 */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { Optional, oneOf } from '../../utils/schema_types';
import { createDecoder } from '../../wire/decode';

const open = { additionalProperties: true };

const ThreadMessage = Type.Object(
  {
    id: Type.String({ maxLength: 500 }),
    role: Type.String(
      says(
        'user, assistant, tool, system or developer; messages of other roles are ignored',
        'user、assistant、tool、system 或 developer；其他 role 的消息会被忽略',
      ),
    ),
    content: Optional.Unknown(
      says(
        'a text, or a list of parts: text, and for users image with a source of the type data or url',
        '文本，或由若干部分组成的列表：text；用户消息还可以有 image，其 source 的类型为 data 或 url',
      ),
    ),
    toolCalls: Optional.Unknown(says('calls of an assistant message', 'assistant 消息中的调用')),
    toolCallId: Optional.Unknown(says('the call that a tool message answers', 'tool 消息所回答的调用')),
  },
  open,
);
export type ThreadMessage = Static<typeof ThreadMessage>;

const Tool = Type.Object({ name: Type.String(), description: Optional.String(), parameters: Optional.Unknown() }, open);

const ContextEntry = Type.Object({ description: Type.String({ maxLength: 10_000 }), value: Type.String({ maxLength: 200_000 }) }, open);

export const ResumeEntry = Type.Object(
  {
    interruptId: Type.String({ maxLength: 200 }),
    status: oneOf(['resolved', 'cancelled']),
    payload: Optional.Unknown(says('the answer: a text, or an object with the field answer', '回答：文本，或带 answer 字段的对象')),
  },
  open,
);
export type ResumeEntry = Static<typeof ResumeEntry>;

export const RunAgentInput = Type.Object(
  {
    threadId: Type.String({
      minLength: 1,
      maxLength: 200,
      ...says(
        'the conversation: a session belongs to it; the id of a session is its own thread',
        '对话：对应一个会话；会话的 id 即它自己的线程',
      ),
    }),
    runId: Type.String({ minLength: 1, maxLength: 200, ...says("the client's name of the run", '客户端为运行起的名字') }),
    messages: Type.Array(ThreadMessage, {
      maxItems: 2_000,
      ...says('the whole conversation; a known thread takes the new messages alone', '整个对话；对已有的线程只取新消息'),
    }),
    tools: Optional.Array(
      Tool,
      says('functions of the client: their calls come back, the client runs them', '客户端的函数：对它们的调用会返回给客户端执行'),
    ),
    context: Optional.Array(ContextEntry, { maxItems: 100, ...says('what the agent should know', '智能体应当知道的内容') }),
    state: Optional.Unknown(says('the state of the application, shown to the agent', '应用的状态，会展示给智能体')),
    forwardedProps: Optional.Unknown(
      says(
        'clarify: "interrupt" ends a run that asks with an interrupt; other fields are ignored',
        'clarify: "interrupt" 表示提问的运行以 interrupt 结束；其他字段会被忽略',
      ),
    ),
    resume: Optional.Array(ResumeEntry, { maxItems: 1, ...says('the answer to an interrupt', '对 interrupt 的回答') }),
    protocolVersion: Optional.String({
      maxLength: 20,
      ...says('the version that the client speaks; absent before 1.0', '客户端使用的协议版本；1.0 之前没有此字段'),
    }),
  },
  { ...open, examples: [{ threadId: 'thread-1', runId: 'run-1', messages: [{ id: 'm1', role: 'user', content: 'list the files' }] }] },
);
export type RunAgentInput = Static<typeof RunAgentInput>;

const decode = createDecoder(RunAgentInput);

/** Decodes a body. Null counts as absent. Throws `invalid_request` with the pointer of the field. */
export function decodeRunAgentInput(body: unknown): RunAgentInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return decode(body);
  return decode(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a client that takes a question as an interrupt, and answers it with `resume`. */
export const takesInterrupts = ({ forwardedProps, protocolVersion }: RunAgentInput): boolean =>
  protocolVersion !== undefined && isObject(forwardedProps) && forwardedProps['clarify'] === 'interrupt';

/** The state as an object whose fields an event can extend; undefined for a state of another kind. */
export function stateObjectOf({ state }: Pick<RunAgentInput, 'state'>): Record<string, unknown> | undefined {
  if (state === undefined || state === null) return {};
  return isObject(state) ? state : undefined;
}
