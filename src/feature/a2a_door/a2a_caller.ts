/** The caller of an A2A request, and the services that its methods use. */

import type { Clock } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { SessionAccess } from '../../service/access/session_access';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { KeyRing } from '../../service/auth/key_ring';
import type { ImageService } from '../../service/image/image_service';
import type { AnswerService } from '../../service/question/answer_service';
import type { ApprovalService } from '../../service/question/approval_service';
import type { QuestionService } from '../../service/question/question_service';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { GivenConversations } from '../../service/run/given_conversation';
import type { StartRequest } from '../../service/run/start_request';
import type { RunService } from '../../service/run_log/run_service';
import type { ServiceSettings } from '../../service/service_settings';
import type { RunWebhooks } from '../../service/webhook/run_webhooks';
import type { Slot } from '../../utils/slot';
import type { MayDecide } from './a2a_task';

export interface A2aCaller {
  principal: Principal;
  /** The key of the caller may decide approvals. */
  canApprove: boolean;
  /** False also for an approval that the caller's own message caused. */
  mayDecide: MayDecide;
  locale: Locale;
  /** Address of the gateway as the caller reaches it, without a slash at the end. */
  address: string;
  origin: Pick<StartRequest, 'trace' | 'requestId'>;
  /** Aborts when the client has left. */
  signal: AbortSignal;
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface A2aServices {
  a2aDeps: A2aDeps;
}

export interface A2aDeps {
  store: Pick<Store, 'read' | 'transaction'>;
  clock: Clock;
  sessionAccess: SessionAccess;

  visibleAgents: VisibleAgents;
  agentExecutor: AgentExecutor;
  answerService: AnswerService;
  approvalService: ApprovalService;
  questionService: QuestionService;
  givenConversations: GivenConversations;
  imageService: ImageService;
  keyRing: KeyRing;
  runService: RunService;
  serviceSettings: ServiceSettings;
  runWebhooks: Slot<RunWebhooks>;
}
