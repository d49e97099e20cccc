/** Reads the state of a session that a client needs before it subscribes. */
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { SessionRecord } from '../../port/store/sessions';
import type { SessionKey } from '../question/question_resolvers';
import type { QuestionService } from '../question/question_service';
import type { RunService } from '../run_log/run_service';
import type { SessionService } from './session_service';

export interface SessionSnapshot {
  session: SessionRecord;
  /** The running or waiting run. */
  activeRun?: RunRecord;
  /** Open clarifications and approvals, oldest first. */
  questions: QuestionRecord[];
}

export class SnapshotService {
  constructor(private readonly deps: { sessions: SessionService; runs: RunService; questionService: QuestionService }) {}

  /** `after`: the cursor of the client. Rejects `not_found` for an unknown session and for a cursor in a run of another session. */
  async readSnapshot({ tenantId, sessionId }: SessionKey, after?: { runId: string }): Promise<SessionSnapshot> {
    const { sessions, runs, questionService } = this.deps;
    const session = await sessions.getSession(tenantId, sessionId);
    if (after) await runs.getRunOfSession(tenantId, sessionId, after.runId);
    const [activeRun, open] = await Promise.all([
      runs.findActiveRun(tenantId, sessionId),
      questionService.listOpenQuestions({ tenantId, sessionId }),
    ]);
    return { session, activeRun, questions: open };
  }
}
