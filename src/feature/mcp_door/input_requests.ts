/** Open questions of a run as requests for input, which the client answers when it repeats its call. */
import type { InputRequests, InputRequiredResult } from '@modelcontextprotocol/server';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import { toApprovalData, toClarificationData } from '../../service/question/question_events';
import type { McpCaller } from './mcp_client';
import { canDecide } from './person_answers';
import { toApprovalForm, toQuestionForm } from './person_forms';

/** A call that the client must repeat. No question: another gateway goes on with the run. */
export interface PausedCall {
  run: Pick<RunRecord, 'id'>;
  questions: readonly QuestionRecord[];
}

/** The state of the request is the id of the run: every gateway finds the run in the store. */
export const toInputRequired = ({ run, questions }: PausedCall, caller: McpCaller): InputRequiredResult => ({
  resultType: 'input_required',
  inputRequests: questions.length > 0 ? toInputRequests(questions, caller) : undefined,
  requestState: run.id,
});

/** Names each request by the id of its question. */
export function toInputRequests(questions: readonly QuestionRecord[], { locale }: McpCaller): InputRequests {
  return Object.fromEntries(
    questions.map(question => {
      const { approval } = question;
      const params = approval
        ? toApprovalForm(toApprovalData(question, approval), locale).params
        : toQuestionForm(toClarificationData(question), locale);
      return [question.id, { method: 'elicitation/create' as const, params: { ...params, mode: 'form' as const } }];
    }),
  );
}

/** Returns the questions that the person of the client can answer. */
export const askable = (questions: readonly QuestionRecord[], caller: McpCaller): QuestionRecord[] =>
  questions.filter(({ approval, mode }) => mode === 'wait' && (approval ? canDecide(caller, approval.review?.notBy) : caller.canAsk));
