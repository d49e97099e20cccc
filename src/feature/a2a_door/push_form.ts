/** The form of push notifications: a task, with its state when the notification is sent. */
import { AppError } from '../../errors';
import { isTerminal } from '../../port/run_event';
import type { QuestionService } from '../../service/question/question_service';
import type { RunService } from '../../service/run_log/run_service';
import type { WebhookForm } from '../../service/webhook/run_webhooks';
import { a2aSdk, loadA2aSdk } from './a2a_sdk';
import { inputMessage, toTask } from './a2a_task';

export const A2A_FORM = 'a2a';

/** The agent that waits for the notification asks by a key of its own, so an approval shows as input that is required. */
export function taskForm(deps: {
  runService: Pick<RunService, 'getRun'>;
  questionService: Pick<QuestionService, 'listOpenQuestions'>;
}): WebhookForm {
  return {
    contentType: 'application/a2a+json',
    async toBody({ tenantId, runId }) {
      await loadA2aSdk();
      const run = await deps.runService.getRun(tenantId, runId).catch(absentWhenDeleted);
      if (!run) return undefined;
      const question = isTerminal(run.status) ? undefined : (await deps.questionService.listOpenQuestions(run))[0];
      const task = toTask({ run, question, mayDecide: () => true, history: [inputMessage(run)] });
      return JSON.stringify(a2aSdk().StreamResponse.toJSON({ payload: { $case: 'task', value: task } }));
    },
  };
}

function absentWhenDeleted(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown;
}
