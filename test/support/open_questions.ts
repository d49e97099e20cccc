/** Access to questions in a tenant where no session is private. */
import type { Principal } from '../../src/port/principal';
import { ApproverDirectory } from '../../src/service/question/approver_directory';
import { QuestionAccess } from '../../src/service/question/question_access';

export function openQuestions(callers: readonly Principal[] = []): QuestionAccess {
  const sessionAccess = {
    isInUse: false,
    assertMay: async () => {},
    maySee: async () => true,
    mayDo: async () => true,
    viewerOf: () => undefined,
  };
  return new QuestionAccess({ sessionAccess, approvers: new ApproverDirectory({ callersOf: () => [...callers] }) });
}
