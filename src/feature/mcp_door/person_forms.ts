/** Questions to people as forms of MCP elicitation, and what their answers mean. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { ApprovalAnswer, ApprovalData, ClarificationData } from '../../port/run_event';
import type { Locale } from '../../port/store/sessions';
import type { Bilingual } from '../../utils/bilingual';
import { clipText } from '../../utils/clip_text';
import { showInvisible } from '../../utils/invisible_text';
import { toPlainText } from '../../utils/plain_text';

const MAX_ARGS_UNITS = 4_000;

/** The answer is one of the choices, or free text when there are none. */
export function toQuestionForm({ question, choices }: ClarificationData, locale: Locale): ElicitRequestFormParams {
  const title = locale === 'zh-CN' ? '回答' : 'Answer';
  const text = { type: 'string' as const, title };
  const answer = choices ? { ...text, enum: choices } : { ...text, minLength: 1, maxLength: 20_000 };
  return { message: toPlainText(question), requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] } };
}

/** Returns undefined when the person has declined, closed the form or left it empty. */
export function readAnswer({ action, content }: ElicitResult): string | undefined {
  const answer = action === 'accept' ? content?.['answer'] : undefined;
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
}

const DECISIONS: Readonly<Record<ApprovalAnswer['decision'], Bilingual>> = {
  allow_once: { en: 'Allow once', 'zh-CN': '允许这一次' },
  allow_session: { en: 'Allow for this session', 'zh-CN': '本会话都允许' },
  deny: { en: 'Deny', 'zh-CN': '拒绝' },
};

/** An approval as a form, and what its answer means: undefined when the approval stays open for a decision elsewhere. */
export interface ApprovalForm {
  params: ElicitRequestFormParams;
  readDecision(result: ElicitResult): ApprovalAnswer | undefined;
}

/**
 * Shows the arguments that would run. A session-wide decision is offered where it would cover more than this call. Nobody can allow arguments that
 * the form cannot show in full: it then says where to see them, and stays open elsewhere when it is closed.
 */
export function toApprovalForm({ reason, label, tool, args, sessionScope, requestId }: ApprovalData, locale: Locale): ApprovalForm {
  // Makes characters visible that show nothing or reorder what is shown: they must not hide what would run.
  const shown = showInvisible(JSON.stringify(args, null, 1) ?? '');
  const isWhole = shown.length <= MAX_ARGS_UNITS;
  const allowed = sessionScope === 'none' ? (['allow_once'] as const) : (['allow_once', 'allow_session'] as const);
  const decisions: readonly ApprovalAnswer['decision'][] = isWhole ? [...allowed, 'deny'] : ['deny'];
  const decision = {
    type: 'string' as const,
    title: locale === 'zh-CN' ? '决定' : 'Decision',
    enum: [...decisions],
    enumNames: decisions.map(value => DECISIONS[value][locale]),
  };
  const details = isWhole ? shown : `${clipText(shown, MAX_ARGS_UNITS)}\n\n${tooLongText(requestId, locale)}`;
  return {
    params: {
      message: `${toPlainText(`${reason}\n\n${label} (${tool})`)}\n${details}`,
      requestedSchema: { type: 'object', properties: { decision }, required: ['decision'] },
    },
    readDecision: ({ action, content }) => {
      if (!isWhole && action === 'cancel') return undefined;
      const answer = action === 'accept' ? decisions.find(value => value === content?.['decision']) : undefined;
      // Everything but a clear yes denies the call.
      return { decision: answer ?? 'deny' };
    },
  };
}

const tooLongText = (requestId: string, locale: Locale): string =>
  locale === 'zh-CN'
    ? `参数太长，这里无法完整显示，因此不能在这里允许。要查看全部参数并决定，请打开网关的页面，或使用 GET /api/v1/approvals 和 POST /api/v1/approvals/${requestId}。关闭此表单不会作出决定。`
    : `The arguments are too long to be shown in full, so they cannot be allowed here. To see all of them and decide, open the page of the gateway, or use GET /api/v1/approvals and POST /api/v1/approvals/${requestId}. Closing this form decides nothing.`;
