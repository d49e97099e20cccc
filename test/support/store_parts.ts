import { backupStore } from '../../src/feature/backup/store/backup_store';
import { feedbackStore } from '../../src/feature/feedback/store/feedback_store';
import { hookStore } from '../../src/feature/hooks/store/hook_store';
import { jobStore } from '../../src/feature/jobs/store/job_store';
import { learnedRuleStore } from '../../src/feature/learned_rules/store/learned_rule_store';
import { mcpLoginStore } from '../../src/feature/mcp_client/store/mcp_login_store';
import { mcpSessionStore } from '../../src/feature/mcp_door/store/mcp_session_store';
import { memoryStore } from '../../src/feature/memory/store/memory_store';
import { openAiStore } from '../../src/feature/openai_door/store/openai_store';
import { opsStore } from '../../src/feature/ops/store/ops_store';
import { peopleStore } from '../../src/feature/people/store/people_store';
import { promptStore } from '../../src/feature/prompt_library/store/prompt_store';
import { pushStore } from '../../src/feature/push/store/push_store';
import { replayStore } from '../../src/feature/replay/store/replay_store';
import { shareStore } from '../../src/feature/shares/store/share_store';
import { webhookStore } from '../../src/feature/webhooks/store/webhook_store';
import { snapshotStore } from '../../src/feature/workspace_snapshots/store/snapshot_store';

/** What the features of the gateway add to its store, without the rest of the features, which loads slowly. */
export const STORE_PARTS = {
  backup: backupStore,
  feedback: feedbackStore,
  hooks: hookStore,
  jobs: jobStore,
  learned_rules: learnedRuleStore,
  mcp_client: mcpLoginStore,
  mcp_door: mcpSessionStore,
  memory: memoryStore,
  openai_door: openAiStore,
  ops: opsStore,
  push: pushStore,
  people: peopleStore,
  prompt_library: promptStore,
  replay: replayStore,
  shares: shareStore,
  webhooks: webhookStore,
  workspace_snapshots: snapshotStore,
};
