/**
 * Answers of people to the forms of MCP clients. The id of a form names its question, so an answer that reaches another gateway than the one that has
 * asked is stored all the same.
 */
import type { ElicitResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../errors';
import { hasScope } from '../../port/principal';
import type { Interaction } from '../../port/store/runs';
import type { AnswerService } from '../../service/question/answer_service';
import type { ApprovalService } from '../../service/question/approval_service';
import { toApprovalData } from '../../service/question/question_events';
import type { QuestionService } from '../../service/question/question_service';
import type { ServiceSettings } from '../../service/service_settings';
import type { McpCaller } from './mcp_client';
import { readAnswer, toApprovalForm } from './person_forms';
import { serverSdk } from './server_sdk';

export interface PersonAnswerDeps {
  questionService: QuestionService;
  answerService: AnswerService;
  approvalService: ApprovalService;
  serviceSettings: ServiceSettings;
}

const PREFIX = 'question-';
const CLOSED: ElicitResult = { action: 'cancel' };

/** Returns the JSON-RPC id of the form of a question. */
export const formIdOf = (requestId: string): string => PREFIX + requestId;

/** Returns what a client may ask its person. */
export function interactionOf(caller: McpCaller, { clarify }: ServiceSettings): Interaction {
  return {
    clarify: caller.canAsk ? 'wait' : 'text',
    clarifyTimeoutMs: clarify.declaredTimeoutMs,
    approvals: canApprove(caller) ? 'wait' : undefined,
  };
}

/** Returns true when the person of the client may decide the approval. `notBy`: callers whose yes does not count; a form that is closed would be their no. */
export const canDecide = (caller: McpCaller, notBy: readonly string[] = []): boolean =>
  canApprove(caller) && !notBy.includes(caller.principal.keyName);

const canApprove = ({ canAsk, principal }: McpCaller): boolean => canAsk && hasScope(principal, 'approve');

/** Returns the answers to forms among the messages of a request: requestId of the question -> answer. An error of the client counts as a closed form. */
export function answersIn(body: unknown): Map<string, ElicitResult> {
  const messages = (Array.isArray(body) ? body : [body]) as Partial<JSONRPCMessage & { id: unknown; result: unknown }>[];
  const answers = new Map<string, ElicitResult>();
  for (const message of messages) {
    if (!message || 'method' in message || typeof message.id !== 'string' || !message.id.startsWith(PREFIX)) continue;
    const { data = CLOSED } = serverSdk().ElicitResultSchema.safeParse(message.result);
    answers.set(message.id.slice(PREFIX.length), data);
  }
  return answers;
}

/** Stores the answer of a person. An answer that came too late, or to no question, does nothing. */
export async function storeAnswer(requestId: string, result: ElicitResult, caller: McpCaller, deps: PersonAnswerDeps): Promise<void> {
  try {
    await storeOpenAnswer(requestId, result, caller, deps);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || (thrown.code !== 'clarification_closed' && thrown.code !== 'not_found')) throw thrown;
  }
}

async function storeOpenAnswer(requestId: string, result: ElicitResult, caller: McpCaller, deps: PersonAnswerDeps): Promise<void> {
  const { questionService, answerService, approvalService, serviceSettings } = deps;
  const { tenantId, keyName } = caller.principal;
  const question = await questionService.findQuestion({ tenantId }, requestId);
  if (question.approval) {
    const { readDecision } = toApprovalForm(toApprovalData(question, question.approval), caller.locale);
    const decision = readDecision(result);
    if (decision && canApprove(caller)) await approvalService.decideApproval({ tenantId, keyName }, requestId, decision);
    return;
  }
  const answer = readAnswer(result);
  if (answer === undefined) return answerService.skipClarification({ tenantId, keyName }, requestId);
  const interaction = interactionOf(caller, serviceSettings);
  await answerService.answerClarification({ tenantId, keyName, requestId, answer, door: 'mcp', interaction });
}
