/** Answers the lists of clarifications and of approvals, which differ in their rows alone. */
import type { QuestionKind, QuestionRecord } from '../port/store/questions';
import type { QuestionAccess } from '../service/question/question_access';
import type { QuestionService } from '../service/question/question_service';
import { flagOf } from '../utils/flag_of';
import { encodePage, pageOf, principalOf, queryOf } from './http_request';
import type { RestController } from './route';
import { QuestionsQuery } from './schemas/question_schemas';

interface QuestionLists extends Pick<RestController, 'ctx'> {
  questionService: Pick<QuestionService, 'listQuestions'>;
  questionAccess: Pick<QuestionAccess, 'filterFor' | 'findHiddenChats'>;
}

/** Resolves with the page for which the query of the request asks. Rejects `invalid_request`. */
export async function listQuestionsOf<Row extends object>(
  { ctx, questionService, questionAccess }: QuestionLists,
  kind: QuestionKind,
  toRow: (question: QuestionRecord) => Row,
) {
  const { status, sessionId, chatHidden, ...rest } = queryOf(ctx, QuestionsQuery);
  const caller = principalOf(ctx);
  const chosen = { kind, status, sessionId: sessionId || undefined, chatHidden: flagOf(chatHidden) };
  const filter = { ...chosen, ...questionAccess.filterFor(caller, kind) };
  const found = await questionService.listQuestions(caller.tenantId, filter, pageOf(rest));
  const hidden = await questionAccess.findHiddenChats(caller, found.data);
  return encodePage(found, question => ({ ...toRow(question), chatHidden: hidden.has(question.id) || undefined }));
}
