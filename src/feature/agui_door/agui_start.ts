/** Starts the run that an AG-UI client asks for, in the session of its thread. */
import type { Context } from '@midwayjs/koa';
import { originOf, principalOf, requestKeyOf } from '../../controller/http_request';
import { AppError } from '../../errors';
import type { CallerTool } from '../../port/caller';
import type { UserMessage } from '../../port/llm';
import type { AgentCaller, VisibleAgents } from '../../service/agent/visible_agents';
import type { ImageService } from '../../service/image/image_service';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { Continuation, GivenConversations, Thread } from '../../service/run/given_conversation';
import { isSessionMade } from '../../service/run/run_errors';
import type { AcceptedRun, BeforeStart, RequestKey, StartRequest } from '../../service/run/start_request';
import type { ServiceSettings } from '../../service/service_settings';
import { titleFrom } from '../../service/session/session_title';
import { fingerprintOf } from '../../utils/fingerprint';
import { toCallerTools } from '../../wire/caller_tools';
import { refusal } from '../../wire/refusal';
import { applicationText, NO_ANSWER } from './application_text';
import { type ReadThread, readNewMessages, readWholeThread } from './read_thread';
import { type ResumeEntry, type RunAgentInput, takesInterrupts } from './run_agent_input';

export interface AguiStartDeps {
  visibleAgents: VisibleAgents;
  agentExecutor: AgentExecutor;
  givenConversations: GivenConversations;
  imageService: ImageService;
  serviceSettings: ServiceSettings;
}

interface Asked {
  ctx: Context;
  agent: string;
  input: RunAgentInput;
}

const IMAGES_MS = 30_000;

/** Rejects as AgentExecutor.start does, `not_found` for the agent, and `invalid_request` for messages that cannot be a run. */
export async function startAguiRun(asked: Asked, thread: Thread, deps: AguiStartDeps, beforeStart: BeforeStart): Promise<AcceptedRun> {
  const { ctx, agent, input } = asked;
  assertAgent(agent, principalOf(ctx), deps.visibleAgents);
  const tools = toolsOf(input);
  const start = async (known: Thread) => deps.agentExecutor.start(await toStartRequest(asked, known, tools, deps), beforeStart);
  try {
    return await start(thread);
  } catch (thrown) {
    if (!isSessionMade(thrown)) throw thrown;
    // Another request of the same new thread came first.
    return start(await deps.givenConversations.findThread(principalOf(ctx), input.threadId));
  }
}

function assertAgent(name: string, caller: AgentCaller, agents: VisibleAgents): void {
  if (agents.has(name, caller)) return;
  throw new AppError('not_found', {
    param: '/agent',
    message: `There is no agent ${JSON.stringify(name.slice(0, 100))}. GET /api/v1/agents lists the agents.`,
    messageZh: `没有智能体 ${JSON.stringify(name.slice(0, 100))}。GET /api/v1/agents 列出所有智能体。`,
  });
}

/** Reads the tools of the client. Throws `invalid_request`. */
function toolsOf({ tools = [] }: RunAgentInput): CallerTool[] {
  const declared = tools.map(({ name, description, parameters }, i) => {
    const at = `/tools/${i}`;
    if (parameters !== undefined && (typeof parameters !== 'object' || Array.isArray(parameters)))
      throw refusal(`${at}/parameters`, 'must be the JSON Schema of an object', '必须是对象的 JSON Schema');
    return { at, name, description, parameters: parameters as Record<string, unknown> | null | undefined };
  });
  return toCallerTools(declared, '/tools');
}

async function toStartRequest(asked: Asked, thread: Thread, tools: CallerTool[], deps: AguiStartDeps): Promise<StartRequest> {
  const { ctx, agent, input } = asked;
  const { tenantId, keyName } = principalOf(ctx);
  const { session, sessionId } = thread;
  const locale = session?.locale ?? deps.serviceSettings.defaultLocale;
  const { read, given, continuation } = await continueThread(input, thread, tenantId, deps);
  const instructions = applicationText(read, input, locale);
  const lastMessage = input.messages.at(-1)?.id;
  const opening = read.messages.find(message => message.role === 'user')?.content ?? '';
  return {
    tenantId,
    keyName,
    door: 'agui',
    agent,
    ...originOf(ctx),
    onBusy: 'enqueue',
    interaction: { clarify: 'text', clarifyTimeoutMs: 0 },
    ...continuation,
    ...(await deps.imageService.attachImages(given, read.images, { tenantId, keyName, signal: AbortSignal.timeout(IMAGES_MS) })),
    caller: {
      tools,
      instructions,
      lastMessage,
      showsQuestions: takesInterrupts(input) || undefined,
    },
    newSession: session ? undefined : { id: sessionId, title: titleFrom(opening) },
    idempotency: keyOf(asked, keyName),
  };
}

interface ContinuedThread {
  read: ReadThread;
  given: Continuation['given'];
  continuation: Pick<Continuation, 'sessionId' | 'text' | 'answers'>;
}

async function continueThread(
  { messages, resume = [] }: RunAgentInput,
  { session, sessionId, lastMessage }: Thread,
  tenantId: string,
  { givenConversations, serviceSettings }: AguiStartDeps,
): Promise<ContinuedThread> {
  const read = session ? readNewMessages(messages, lastMessage) : readWholeThread(messages);
  const [entry] = resume;
  if (entry) {
    const answer: UserMessage = { role: 'user', content: answerOf(entry, session?.locale ?? serviceSettings.defaultLocale) };
    // Beside the answer, only messages behind the question are new.
    const turn = [answer, ...(session && lastMessage !== undefined ? newBehind(read, messages, lastMessage) : [])];
    const text = turn.map(({ content }) => content).join('\n\n');
    return { read, given: { earlier: [], turn }, continuation: { sessionId, text, answers: entry.interruptId } };
  }
  const {
    given,
    conversation: _conversation,
    ...continuation
  } = session
    ? await givenConversations.continuationOf({ tenantId, sessionId, messages: read.messages })
    : givenConversations.wholeConversation(read);
  if (given.turn.length === 0)
    throw refusal('/messages', 'the last one must be of the role user or tool', '最后一条的 role 必须是 user 或 tool');
  return { read, given, continuation };
}

/** Returns the messages of people in `read`, unless they repeat the last given messages. */
function newBehind({ messages: read }: ReadThread, given: RunAgentInput['messages'], lastMessage: string): UserMessage[] {
  const known = given.findLastIndex(({ id }) => id === lastMessage);
  const isNew = known !== -1 && given.slice(known + 1).some(({ role }) => role === 'user');
  return isNew ? read.filter(message => message.role === 'user') : [];
}

/** The answer of a person to an interrupt. Throws `invalid_request`. */
function answerOf({ status, payload }: ResumeEntry, locale: keyof typeof NO_ANSWER): string {
  if (status === 'cancelled') return NO_ANSWER[locale];
  const value = typeof payload === 'object' && payload !== null && 'answer' in payload ? payload.answer : payload;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '').slice(0, 20_000);
  if (text.trim() !== '' && text !== '""') return text;
  throw refusal('/resume/0/payload', 'must be the answer, a text that is not empty', '必须是回答，且为非空文本');
}

/** The same body within ten minutes means the same run: a client that lost its connection reads that run again. */
function keyOf({ ctx, agent, input }: Asked, keyName: string | undefined): RequestKey {
  const asked = { agent, input, keyName };
  const named = ctx.get('idempotency-key') === '' ? undefined : requestKeyOf(ctx, asked);
  if (named) return { ...named, key: `agui:${named.key}` };
  const fingerprint = fingerprintOf(asked);
  return { key: `agui:same:${fingerprint}`, fingerprint, retry: { isRepeat: true } };
}
