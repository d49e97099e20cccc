/** Asks the person at the editor: for permission of a tool call, and for the answer to a question. */
import type { CreateElicitationResponse, PermissionOption } from '@agentclientprotocol/sdk';
import type { NetaClient } from '../../../clients/typescript/src/client';
import type { ApprovalRequest, ClarifyRequest } from '../../../clients/typescript/src/types';
import type { Bilingual } from '../../utils/bilingual';
import { explain } from './acp_errors';
import type { Editor } from './editor';
import { toToolCall } from './run_updates';
import { diffsOf, textContent } from './tool_view';

export interface AskedSession {
  sessionId: string;
  /** Folder of the workspace. */
  root: string;
  client: NetaClient;
  editor: Editor;
  language: keyof Bilingual;
}

const OPTIONS = {
  allow_once: { en: 'Allow once', 'zh-CN': '允许一次' },
  allow_session: { en: 'Allow for this session', 'zh-CN': '在本会话中允许' },
  deny: { en: 'Reject', 'zh-CN': '拒绝' },
} as const satisfies Record<string, Bilingual>;
type Decision = keyof typeof OPTIONS;

const ANSWER: Bilingual = { en: 'Your answer', 'zh-CN': '你的回答' };
const NO_ANSWER: Bilingual = { en: 'The person gave no answer.', 'zh-CN': '用户没有回答。' };

/** Lets the person decide about a tool call. An abort takes the question back: somebody else has decided. Never rejects. */
export async function askPermission(session: AskedSession, request: ApprovalRequest, signal: AbortSignal): Promise<void> {
  const { client, editor } = session;
  try {
    const decision = await decide(session, request, signal);
    if (signal.aborted) return;
    await client.request('post', '/api/v1/approvals/{requestId}', { path: { requestId: request.requestId }, body: { decision } });
  } catch (thrown) {
    if (!signal.aborted) editor.log(explain(thrown));
  }
}

async function decide(
  { sessionId, root, editor, language }: AskedSession,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  const { toolCallId, tool: name, label, args, reason, diff = '' } = request;
  const toolCall = { ...toToolCall({ toolCallId, name, label, args }, root), content: [textContent(reason), ...diffsOf(diff, root)] };
  const option = (optionId: Decision, kind: PermissionOption['kind']) => ({ optionId, name: OPTIONS[optionId][language], kind });
  const options = [
    option('allow_once', 'allow_once'),
    ...(request.sessionScope === 'none' ? [] : [option('allow_session', 'allow_always')]),
    option('deny', 'reject_once'),
  ];
  const { outcome } = await editor.requestPermission({ sessionId, toolCall, options }, signal);
  const chosen = outcome.outcome === 'selected' ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
  return chosen?.optionId ?? 'deny';
}

/** Lets the person answer a question in a form. Never rejects. */
export async function askInForm(session: AskedSession, question: ClarifyRequest, signal: AbortSignal): Promise<void> {
  const { sessionId, client, editor, language } = session;
  const { requestId, choices = [] } = question;
  const text = { type: 'string' as const, title: ANSWER[language] };
  const properties = choices.length > 0 ? { choice: { type: 'string' as const, enum: choices }, answer: text } : { answer: text };
  try {
    const requestedSchema = { type: 'object' as const, properties, required: choices.length > 0 ? [] : ['answer'] };
    const response = await editor.elicit({ sessionId, mode: 'form', message: question.question, requestedSchema }, signal);
    if (signal.aborted) return;
    await client.answer(requestId, answerIn(response) ?? NO_ANSWER[language]);
  } catch (thrown) {
    if (!signal.aborted) editor.log(explain(thrown));
  }
}

function answerIn(response: CreateElicitationResponse): string | undefined {
  if (response.action !== 'accept') return undefined;
  const content = (response.content ?? {}) as Record<string, unknown>;
  return [content['answer'], content['choice']].map(value => String(value ?? '').trim()).find(value => value !== '');
}
