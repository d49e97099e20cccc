/** Questions to people as forms of MCP elicitation, and what their answers mean. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { ApprovalAnswer, ApprovalData, ClarificationData } from '../../port/run_event';
import type { Locale } from '../../port/store/sessions';
import { clipText } from '../../utils/clip_text';
import { showInvisible } from '../../utils/invisible_text';
import { toPlainText } from '../../utils/plain_text';

const MAX_ARGS_UNITS = 4_000;

/** The answer is one of the choices, or free text when there are none. */
export function toQuestionForm({ question, choices }: ClarificationData, locale: Locale): ElicitRequestFormParams {
  const title = locale === 'zh-CN' ? '回答' : 'Answer';
  const answer = { type: 'string' as const, title, ...(choices ? { enum: choices } : { minLength: 1, maxLength: 20_000 }) };
  return { message: toPlainText(question), requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] } };
}

/** Returns undefined when the person has declined, closed the form or left it empty. */
export function readAnswer({ action, content }: ElicitResult): string | undefined {
  const answer = action === 'accept' ? content?.['answer'] : undefined;
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
}

/** Shows the arguments that would run. A session-wide decision is offered where it would cover more than this call. */
export function toApprovalForm({ reason, label, tool, args, sessionScope }: ApprovalData, locale: Locale): ElicitRequestFormParams {
  const isChinese = locale === 'zh-CN';
  const decisions: [ApprovalAnswer['decision'], string][] = [
    ['allow_once', isChinese ? '允许这一次' : 'Allow once'],
    ...(sessionScope === 'none' ? [] : [['allow_session', isChinese ? '本会话都允许' : 'Allow for this session'] as const]),
    ['deny', isChinese ? '拒绝' : 'Deny'],
  ].map(([decision, text]) => [decision as ApprovalAnswer['decision'], String(text)]);
  const decision = {
    type: 'string' as const,
    title: isChinese ? '决定' : 'Decision',
    enum: decisions.map(([value]) => value),
    enumNames: decisions.map(([, text]) => text),
  };
  // Characters that show nothing, or reorder what is shown, must not hide what would run.
  const shown = clipText(showInvisible(JSON.stringify(args, null, 1) ?? ''), MAX_ARGS_UNITS);
  return {
    message: `${toPlainText(`${reason}\n\n${label} (${tool})`)}\n${shown}`,
    requestedSchema: { type: 'object', properties: { decision }, required: ['decision'] },
  };
}

/** Everything but a clear yes denies the call. */
export function readDecision({ action, content }: ElicitResult): ApprovalAnswer {
  const decision = action === 'accept' ? content?.['decision'] : undefined;
  return { decision: decision === 'allow_once' || decision === 'allow_session' ? decision : 'deny' };
}
