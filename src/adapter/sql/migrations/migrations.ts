/**
 * The migrations of the core, and of features before they had migrations of their own. Never change a released one; add a new one whose name sorts
 * last. A new one only adds, so that the version before can work with its result after a rollback: tables, and columns that are nullable or have a
 * default. What nobody uses any more goes one version later, in a migration whose name ends in `_contract`: docs/decisions/0145.
 */
import type { Migration } from 'kysely/migration';
import { createCoreTables } from './001_core_tables';
import { createListIndexes } from './002_list_indexes';
import { indexUnfinishedRuns } from './003_unfinished_runs';
import { createMemories } from './004_memories';
import { createMessageSearch } from './005_message_search';
import { linkChildrenAndOrigins } from './006_children_and_origins';
import { createJobs } from './007_jobs';
import { indexExpiringRuns } from './008_expiring_runs';
import { createVectors } from './009_vectors_and_child_messages';
import { addModelChoices } from './010_model_choices';
import { createSessionTools } from './011_session_tools';
import { addToolCallCallers } from './012_tool_call_callers';
import { createSessionSummaries } from './013_session_summaries';
import { createSessionImages } from './014_session_images';
import { createApiKeys } from './015_api_keys';
import { addDecidedBy } from './016_decided_by';
import { createUsageAndRates } from './017_usage_and_rates';
import { addCallerTools } from './018_caller_tools';
import { createResponses } from './019_responses';
import { createWebhooks } from './020_webhooks';
import { addRunImages } from './021_run_images';
import { createAuditLog } from './022_audit_log';
import { addTraces } from './023_traces';
import { createOps } from './024_ops';
import { countMemoryChanges } from './025_memory_changes';
import { createUsageOfTools } from './026_usage_of_tools';
import { searchByTenant } from './027_search_by_tenant';
import { addRunCallers } from './029_run_callers';
import { addJobTools } from './030_job_tools';
import { addTakenPoints } from './032_rate_points';
import { createAuditQueue } from './033_audit_queue';
import { createNodeLeases } from './034_node_leases';
import { indexParts } from './035_indexes_of_parts';
import { createSearchQueue } from './036_search_queue';
import { allowOneActiveRun } from './037_one_active_run';
import { createSessionCopies } from './039_session_copies';
import { createFileLocks } from './041_file_locks';
import { addSpentAmounts } from './042_spent_amounts';
import { addSessionBranches } from './045_session_branches';
import { addChatPlaces } from './046_chat_places';
import { addBranchSources } from './047_branch_sources';
import { createFeedback } from './048_feedback';
import { createPrompts } from './049_prompts';
import { addChatInstructions } from './050_chat_instructions';
import { createShares } from './051_shares';
import { createViewsAndKeyUses } from './052_views_and_key_uses';
import { createPush } from './053_push';
import { addShareEnds } from './055_share_ends';
import { createRunRecordings } from './058_run_recordings';
import { createSuites } from './059_suites';
import { addOutputSchema } from './062_output_schema';
import { addHistoryVersions } from './063_history_versions';
import { addSteeringImages } from './077_steering_images';
import { addLoginClients } from './080_login_clients';
import { addMessageFiles } from './083_message_files';
import { addSessionAccess } from './091_session_access';
import { addFourEyes } from './096_four_eyes';
import { addEscalatedAt } from './097_escalated_approvals';
import { addShareRole } from './106_guests';
import { addMemoryOwners } from './108_memory_owners';
import { addJobOwners } from './109_job_owners';
import { addReservedAmounts } from './113_reserved_amounts';
import { addAskedPeople } from './115_asked_people';
import { addInstructionsBy } from './116_instructions_by';
import { createOwnerDays } from './118_owner_days';
import { addCancelledBy } from './119_cancelled_by';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_core_tables': { up: createCoreTables },
  '002_list_indexes': { up: createListIndexes },
  '003_unfinished_runs': { up: indexUnfinishedRuns },
  '004_memories': { up: createMemories },
  '005_message_search': { up: createMessageSearch },
  '006_children_and_origins': { up: linkChildrenAndOrigins },
  '007_jobs': { up: createJobs },
  '008_expiring_runs': { up: indexExpiringRuns },
  '009_vectors_and_child_messages': { up: createVectors },
  '010_model_choices': { up: addModelChoices },
  '011_session_tools': { up: createSessionTools },
  '012_tool_call_callers': { up: addToolCallCallers },
  '013_session_summaries': { up: createSessionSummaries },
  '014_session_images': { up: createSessionImages },
  '015_api_keys': { up: createApiKeys },
  '016_decided_by': { up: addDecidedBy },
  '017_usage_and_rates': { up: createUsageAndRates },
  '018_caller_tools': { up: addCallerTools },
  '019_responses': { up: createResponses },
  '020_webhooks': { up: createWebhooks },
  '021_run_images': { up: addRunImages },
  '022_audit_log': { up: createAuditLog },
  '023_traces': { up: addTraces },
  '024_ops': { up: createOps },
  '025_memory_changes': { up: countMemoryChanges },
  '026_usage_of_tools': { up: createUsageOfTools },
  '027_search_by_tenant': { up: searchByTenant },
  '029_run_callers': { up: addRunCallers },
  '030_job_tools': { up: addJobTools },
  '032_rate_points': { up: addTakenPoints },
  '033_audit_queue': { up: createAuditQueue },
  '034_node_leases': { up: createNodeLeases },
  '035_indexes_of_parts': { up: indexParts },
  '036_search_queue': { up: createSearchQueue },
  '037_one_active_run': { up: allowOneActiveRun },
  '039_session_copies': { up: createSessionCopies },
  '041_file_locks': { up: createFileLocks },
  '042_spent_amounts': { up: addSpentAmounts },
  '045_session_branches': { up: addSessionBranches },
  '046_chat_places': { up: addChatPlaces },
  '047_branch_sources': { up: addBranchSources },
  '048_feedback': { up: createFeedback },
  '049_prompts': { up: createPrompts },
  '050_chat_instructions': { up: addChatInstructions },
  '051_shares': { up: createShares },
  '052_views_and_key_uses': { up: createViewsAndKeyUses },
  '053_push': { up: createPush },
  '055_share_ends': { up: addShareEnds },
  '058_run_recordings': { up: createRunRecordings },
  '059_suites': { up: createSuites },
  '062_output_schema': { up: addOutputSchema },
  '063_history_versions': { up: addHistoryVersions },
  '077_steering_images': { up: addSteeringImages },
  '080_login_clients': { up: addLoginClients },
  '083_message_files': { up: addMessageFiles },
  '091_session_access': { up: addSessionAccess },
  '096_four_eyes': { up: addFourEyes },
  '097_escalated_approvals': { up: addEscalatedAt },
  '106_guests': { up: addShareRole },
  '108_memory_owners': { up: addMemoryOwners },
  '109_job_owners': { up: addJobOwners },
  '113_reserved_amounts': { up: addReservedAmounts },
  '115_asked_people': { up: addAskedPeople },
  '116_instructions_by': { up: addInstructionsBy },
  '118_owner_days': { up: createOwnerDays },
  '119_cancelled_by': { up: addCancelledBy },
};
