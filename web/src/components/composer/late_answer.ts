import type { Messages } from '../../i18n/messages';
import type { Draft } from '../../platform/drafts';
import { type ClarifyItem, findQuestion, type SessionView } from '../../state/view_types';

/** Returns the question that expired before the text of the draft answered it. */
export function findLateQuestion({ target }: Draft, view: SessionView): ClarifyItem | undefined {
  const question = target === undefined ? undefined : findQuestion(view, target);
  return question?.kind === 'clarify' && question.status === 'expired' ? question : undefined;
}

/** Returns the message that the draft becomes. A late answer names its question, so that the agent reads it as the answer. */
export function messageOf(draft: Draft, view: SessionView, messages: Messages): string {
  const text = draft.text.trim();
  const question = findLateQuestion(draft, view);
  return question ? messages.lateAnswer(question.question.replaceAll(/\s+/g, ' ').trim(), text) : text;
}
