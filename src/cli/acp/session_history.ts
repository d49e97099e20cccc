/** Shows the messages of a session again, for an editor that loads it. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { NetaClient } from '../../../clients/typescript/src/client';
import type { AnswerOf } from '../../../clients/typescript/src/types';
import { toToolCall } from './run_updates';
import { textContent } from './tool_view';
import type { UnfinishedRun } from './unfinished_run';

type Message = AnswerOf<'/api/v1/sessions/{id}/messages', 'get'>['data'][number];

const PAGE = 200;

interface ShownSession {
  client: NetaClient;
  sessionId: string;
  /** Folder of the workspace. */
  root: string;
  /** The run that goes on. Its log shows its messages, all but those that began it. */
  left: UnfinishedRun | undefined;
}

/** Yields the updates of a session, oldest first. */
export async function* readHistory({ client, sessionId, root, left }: ShownSession): AsyncGenerator<SessionUpdate> {
  const isInLog = ({ runId, createdAt }: Message): boolean => left !== undefined && runId === left.run.id && createdAt > left.createdAt;
  for (let cursor: string | undefined, isMore = true; isMore; ) {
    const page = await client.request('get', '/api/v1/sessions/{id}/messages', { path: { id: sessionId }, query: { limit: PAGE, cursor } });
    for (const message of page.data) if (!isInLog(message)) yield* toUpdates(message, root);
    cursor = page.nextCursor;
    isMore = cursor !== undefined;
  }
}

function toUpdates({ id, role, content, toolCallId, toolCalls = [] }: Message, root: string): SessionUpdate[] {
  if (role === 'tool') {
    if (toolCallId === undefined) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [textContent(content)] }];
  }
  const sessionUpdate = role === 'user' ? 'user_message_chunk' : 'agent_message_chunk';
  const text: SessionUpdate[] = content === '' ? [] : [{ sessionUpdate, content: { type: 'text', text: content }, messageId: id }];
  const calls = toolCalls.map(({ toolCallId: callId, name, arguments: args }): SessionUpdate => {
    const call = { toolCallId: callId, name, label: name, args: parseArguments(args) };
    return { sessionUpdate: 'tool_call', ...toToolCall(call, root), status: 'pending' };
  });
  return [...text, ...calls];
}

/** A model may have written arguments that are no JSON. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
