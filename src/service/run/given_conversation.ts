/** Finds out what the messages that a program gives continue: a session, a question, or a conversation of their own. */

import { AppError } from '../../errors';
import { runOfCallerCall } from '../../port/caller';
import type { ChatMessage, ToolMessage, UserMessage } from '../../port/llm';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import type { ReadableStore } from '../../port/store/store';
import type { Bilingual } from '../../utils/bilingual';
import { fingerprintOf } from '../../utils/fingerprint';
import { ownerOf, type SessionAccess } from '../access/session_access';
import type { GivenMessages } from './given_messages';
import type { StartRequest } from './start_request';

export interface GivenConversation {
  tenantId: string;
  /** Language of the text that asks for the rest of the last answer. Absent: messages that end with an answer are refused. */
  locale?: Locale;
  /** The session that the program names. Absent: the messages are the whole conversation. */
  sessionId?: string;
  /** User, assistant and tool messages, in order. */
  messages: readonly ChatMessage[];
  /** The images that messages name: the same texts with another image are another conversation. */
  images?: readonly { message: ChatMessage; url: string }[];
}

/** Fields of the run that the messages start. `conversation`: fingerprint for the run's caller context. */
export interface Continuation extends Pick<StartRequest, 'sessionId' | 'text' | 'answers'> {
  given: GivenMessages;
  conversation: string;
}

/** The session of a thread. */
export interface Thread {
  sessionId: string;
  /** Absent: the thread is new, and its first run makes a session with this id. */
  session?: SessionRecord;
  /** Id of the last message that the program gave to the run before. */
  lastMessage?: string;
}

export class GivenConversations {
  constructor(private readonly deps: { store: ReadableStore<'runs' | 'sessions'>; sessionAccess: Pick<SessionAccess, 'maySee'> }) {}

  /**
   * Finds the session of a thread, which the client names as it likes. The id of a session that the caller sees is its own thread; for any other name the
   * id of the session is derived from tenant, person and name.
   */
  async findThread(caller: Actor, threadId: string): Promise<Thread> {
    const { read } = this.deps.store;
    const { tenantId, keyName } = caller;
    const known = await read.sessions.get(tenantId, threadId);
    const named = known && (await this.deps.sessionAccess.maySee(caller, threadId)) ? known : undefined;
    const sessionId = named?.id ?? sessionIdOfThread({ tenantId, threadId, owner: ownerOf(keyName) });
    const session = named ?? (await read.sessions.get(tenantId, sessionId));
    if (!session) return { sessionId };
    const { data } = await read.runs.list(tenantId, { sessionId }, { limit: 1 });
    const lastMessage = data[0]?.caller?.lastMessage;
    return { sessionId, session, lastMessage };
  }

  /**
   * Messages after the last answer are new. With a session, earlier messages are ignored, because the session has them. Without a session they are
   * the history, with one exception: when the new messages hold results of calls of a run that was given exactly these earlier messages, they
   * continue that run's session, which also knows what the gateway did in the run. Without a new message, the last answer is continued. Rejects
   * `invalid_request` when a result belongs to no call.
   */
  async continuationOf(given: GivenConversation): Promise<Continuation> {
    const { tenantId, sessionId, messages } = given;
    const answered = messages.findLastIndex(message => message.role === 'assistant');
    const turn = turnOf(given, answered);
    if (turn.length === 0) throw refusal('the last one must be of the role user or tool', '最后一条的 role 必须是 user 或 tool');
    const conversation = conversationOf(given);
    const run = await this.answeredRun(tenantId, turn);
    const isContinued =
      sessionId === undefined ? isSame(run, { ...given, messages: messages.slice(0, answered) }) : run?.sessionId === sessionId;
    if (run && isContinued) return { conversation, sessionId: run.sessionId, ...answerOf(run, turn) };
    if (sessionId === undefined) return this.wholeConversation(given);
    if (turn.some(isResult))
      throw refusal('a result belongs to no open call of this session', '有一个结果不属于此会话中等待结果的任何调用');
    return { conversation, sessionId, text: textOf(turn), given: { earlier: [], turn } };
  }

  /** Treats the messages as a conversation of their own, for results whose calls were answered before. */
  wholeConversation(given: Given & Pick<GivenConversation, 'locale'>): Continuation {
    const { messages } = given;
    const answered = messages.findLastIndex(message => message.role === 'assistant');
    const turn = turnOf(given, answered);
    return { conversation: conversationOf(given), text: textOf(turn), given: { earlier: messages.slice(0, answered + 1), turn } };
  }

  /** Finds the run to which the calls of all results belong. */
  private async answeredRun(tenantId: string, turn: readonly ChatMessage[]): Promise<RunRecord | undefined> {
    const ids = turn.filter(isResult).map(message => message.tool_call_id);
    const runIds = new Set(ids.map(runOfCallerCall));
    const [runId] = runIds;
    if (runIds.size !== 1 || runId === undefined) return undefined;
    const run = await this.deps.store.read.runs.get(tenantId, runId);
    const calls = new Set(run?.outcome?.callerCalls?.map(({ toolCallId }) => toolCallId));
    return ids.every(id => calls.has(id)) ? run : undefined;
  }
}

const sessionIdOfThread = (thread: { tenantId: string; threadId: string; owner: string | undefined }): string =>
  `ses_${fingerprintOf(thread)}`;

type Given = Pick<GivenConversation, 'messages' | 'images'>;

const isSame = (run: RunRecord | undefined, given: Given): boolean =>
  run?.caller?.conversation !== undefined && run.caller.conversation === conversationOf(given);

/** Returns the fingerprint of a conversation. Without images it covers the messages alone, as earlier versions stored it. */
function conversationOf({ messages, images = [] }: Given): string {
  const named = images.flatMap(({ message, url }) => {
    const index = messages.indexOf(message);
    return index === -1 ? [] : [{ index, url }];
  });
  return fingerprintOf(named.length === 0 ? messages : { messages, images: named });
}

/** Splits new messages into answers: a question takes a person's message as its answer, other calls take their results. */
function answerOf(run: RunRecord, turn: readonly ChatMessage[]): Pick<Continuation, 'text' | 'given' | 'answers'> {
  const { clarification } = run.outcome ?? {};
  if (!clarification) return { text: textOf(turn), given: { earlier: [], turn, answersRun: run } };
  const spoken = turn.map(message => (isResult(message) ? { role: 'user' as const, content: message.content } : message));
  return { text: textOf(spoken), given: { earlier: [], turn: spoken }, answers: clarification.requestId };
}

const isResult = (message: ChatMessage): message is ToolMessage => message.role === 'tool';

/** Returns the messages after the last answer. */
function turnOf({ messages, locale }: Pick<GivenConversation, 'messages' | 'locale'>, answered: number): ChatMessage[] {
  const turn = resultsFirst(messages.slice(answered + 1));
  return turn.length > 0 || !locale ? turn : [requestWithoutMessage(answered >= 0, locale)];
}

/**
 * Returns a message that asks for the rest of the last answer, or, when there is no answer yet, for the work that the instructions describe. Many
 * model servers refuse a conversation that ends with an answer, or take that answer as complete.
 */
export const requestWithoutMessage = (hasAnswer: boolean, locale: Locale): UserMessage => ({
  role: 'user',
  content: (hasAnswer ? CONTINUE : BEGIN)[locale],
  isByGateway: true,
});

const BEGIN: Bilingual = { en: 'Begin.', 'zh-CN': '请开始。' };
const CONTINUE: Bilingual = {
  en: 'Continue your last message exactly where it ends. Do not repeat it.',
  'zh-CN': '请从你上一条消息结束的地方继续，不要重复。',
};

/** Puts results before other messages: a result counts only behind its call. */
const resultsFirst = (turn: readonly ChatMessage[]): ChatMessage[] => [
  ...turn.filter(isResult),
  ...turn.filter(message => !isResult(message)),
];

const textOf = (turn: readonly ChatMessage[]): string => turn.findLast(message => message.role === 'user')?.content ?? '';

const refusal = (rule: string, ruleZh: string): AppError =>
  new AppError('invalid_request', { param: '/messages', message: `/messages: ${rule}.`, messageZh: `/messages：${ruleZh}。` });
