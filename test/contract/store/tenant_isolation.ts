import type { FeedbackRecord } from '../../../src/feature/feedback/store/feedback_records';
import type { HookCallRecord, HookRecord } from '../../../src/feature/hooks/store/hook_records';
import type { JobRecord } from '../../../src/feature/jobs/store/job_records';
import type { LearnedRuleRecord } from '../../../src/feature/learned_rules/store/learned_rule_records';
import type { McpSessionRecord } from '../../../src/feature/mcp_door/store/mcp_session_records';
import type { UploadedFileRecord } from '../../../src/feature/openai_door/files/store/file_records';
import type { SavedViewRecord } from '../../../src/feature/ops/store/saved_views';
import type { FactorRecord } from '../../../src/feature/people/store/factor_records';
import type { IdentityRecord, ProviderSessionRecord } from '../../../src/feature/people/store/identity_records';
import type { InvitationRecord, PersonRecord } from '../../../src/feature/people/store/people_records';
import type { ScimGroupRecord } from '../../../src/feature/people/store/scim_records';
import type { SignInRecord } from '../../../src/feature/people/store/sign_in_records';
import type { PromptRecord } from '../../../src/feature/prompt_library/store/prompt_records';
import type { PushActionRecord, PushDeliveryRecord, PushSubscriptionRecord } from '../../../src/feature/push/store/push_records';
import type { PromptPartRecord } from '../../../src/feature/replay/store/recording_records';
import type { SuiteCaseRecord } from '../../../src/feature/replay/store/suite_records';
import type { ShareRecord } from '../../../src/feature/shares/store/share_records';
import type { DeliveryRecord, WebhookRecord } from '../../../src/feature/webhooks/store/webhook_records';
import type { WorkspaceFileRecord } from '../../../src/feature/workspace_snapshots/store/snapshot_records';
import type { SessionMember } from '../../../src/port/store/session_access';
import type { StoreReader, StoreTransaction } from '../../../src/port/store/store';
import { TENANT_VIEWER } from '../../../src/service/access/owned_things';
import {
  aMemory,
  aMessage,
  aQuestion,
  aRun,
  aSession,
  aSteeringMessage,
  aToolExecution,
  numbered,
  RUN,
  textDelta,
} from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const OWNER = 'acme';
const OTHER = 'globex';
const PAGE = { limit: 10 };

/** `owner.method` for each method of the owners. */
type MethodOf<T> = { [Owner in keyof T & string]: `${Owner}.${keyof T[Owner] & string}` }[keyof T & string];

/** Methods for all tenants; those of the gateway itself, which no door reaches. */
type OfAllTenants =
  | `${'apiKeys' | 'backups' | 'mcpLogins' | 'nodeLeases' | 'rateCounters' | 'retention' | 'gauges' | 'vectors' | 'eventExpiry'}.${string}`
  // usage_and_rates.ts, ops.ts and audit.ts read and write them as another tenant.
  | `${'usage' | 'usageSums' | 'ops' | 'opsRuns' | 'opsSessions' | 'switches' | 'audit'}.${string}`
  // search.ts reads and indexes them as another tenant.
  | `searchIndex.${string}`
  | `runs.${'orphaned' | 'leftByCallers' | 'ownedBy' | 'cancelledOf' | 'unfinished' | 'countQueuedOfKeys' | 'idleQueued'}`
  | 'questions.closedOf'
  | 'sessionCopies.abandoned'
  | 'sessionMembers.hasOwnedSessions'
  | `jobs.${'due' | 'nextTimes' | 'countOverdue'}`
  | `webhooks.${'all' | 'nextDeliveryAt' | 'countPending' | 'claimDeliveries' | 'deleteOldDeliveries' | 'deleteOfEndedRuns'}`
  | 'hooks.find'
  | 'personFactors.findByCredential'
  | `personIdentities.${'deleteSession' | 'spend' | 'deleteExpired' | 'listAllGroups'}`
  | 'scim.listAllMembers'
  | `people.${'listAll' | 'findByEmail' | 'findInvitation' | 'deleteExpiredInvitations'}`
  | 'toolExecutions.runningDirectCalls'
  | 'responses.unkept'
  | 'uploadedFiles.expired'
  | 'mcpSessions.deleteUnused'
  | `recordings.${'tenants' | 'tenantOf' | 'deleteUnusedParts'}`
  | 'replayAnswers.deleteBefore'
  | 'workspaceBlobs.deleteUnused'
  | `push.${'keys' | 'tenants' | 'nextDeliveryAt' | 'findEndpoint' | 'findAction' | 'insertKeys' | 'deleteEndpoint' | 'claimDeliveries'}`
  | `push.${'useAction' | 'deleteOldActions'}`
  | `shares.${'findByHash' | 'listForGuests' | 'deleteExpired'}`
  | 'idempotencyKeys.deleteBefore';

const aDevice = (tenantId: string): PushSubscriptionRecord => ({
  tenantId,
  id: 'psh_1',
  endpoint: `https://push.example/${tenantId}`,
  publicKey: 'p',
  authSecret: 'a',
  locale: 'en',
  keyName: 'ann',
  preview: true,
  createdAt: 1,
});

const aNotice = (tenantId: string): PushDeliveryRecord => ({
  tenantId,
  id: 'psd_1',
  subscriptionId: 'psh_1',
  kind: 'end',
  sessionId: 'ses_1',
  runId: 'run_1',
  attempts: 0,
  nextAttemptAt: 1,
  expiresAt: 2,
});

const anUpload = (tenantId: string): UploadedFileRecord => ({
  tenantId,
  id: 'file_1',
  path: 'uploads/a.txt',
  filename: 'a.txt',
  purpose: 'user_data',
  size: 1,
  createdAt: 1,
});

const anAction = (tenantId: string, name = 'first'): PushActionRecord => ({
  tokenHash: `${tenantId}.${name}`,
  tenantId,
  subscriptionId: 'psh_1',
  requestId: 'q',
  argumentsHash: 'h',
  keyName: 'ann',
  expiresAt: 2,
});

const aJob = (tenantId: string): JobRecord => ({
  tenantId,
  id: 'job_1',
  name: 'Water the beds',
  schedule: { everyMs: 60_000 },
  input: 'Water',
  agent: 'default',
  locale: 'en',
  session: 'new',
  onMissed: 'run',
  onOverlap: 'skip',
  enabled: true,
  nextRunAt: 61_000,
  failures: 0,
  version: 1,
  createdAt: 1_000,
  updatedAt: 1_000,
});

const aHookCall = (tenantId: string): HookCallRecord => ({
  tenantId,
  id: 'hkc_1',
  hookId: 'hook_1',
  address: '192.0.2.1',
  outcome: 'refused',
  code: 'unauthenticated',
  createdAt: 1,
});

const aHook = (tenantId: string): HookRecord => ({
  tenantId,
  id: 'hook_1',
  name: 'deploys',
  agent: 'default',
  template: '{{body}}',
  locale: 'en',
  session: 'same',
  secret: 'whsec_AAAA',
  enabled: true,
  keyName: 'ann',
  createdAt: 1_000,
  updatedAt: 1_000,
});

const aWebhook = (tenantId: string): WebhookRecord => ({
  tenantId,
  id: 'whk_1',
  url: 'https://example.com/',
  events: ['run.failed'],
  secret: 'whsec_A',
  createdAt: 1,
  runId: 'run_1',
  label: 'default',
  form: 'a2a',
  headers: { token: 'a' },
});

const aShare = (tenantId: string): ShareRecord => ({
  tenantId,
  id: 'shr_1',
  sessionId: 'ses_1',
  tokenHash: tenantId,
  isPublic: false,
  lastOrdinal: 1,
  lastPosition: 0,
  createdAt: 1,
  expiresAt: 2,
});

const aSuiteCase = (tenantId: string): SuiteCaseRecord => ({
  tenantId,
  id: 'cas_1',
  suite: 'regress',
  title: `case of ${tenantId}`,
  runId: 'run_1',
  agent: 'default',
  checks: { sameCalls: true },
  recorded: {
    id: 'run_1',
    agent: 'default',
    locale: 'en',
    input: 'hello',
    interaction: { clarify: 'text', clarifyTimeoutMs: 1 },
    limits: {},
    thinkingLevel: 'off',
    history: [],
    turnStart: 0,
    answers: [],
    results: [],
    end: { status: 'completed', text: 'hi', usage: { inputTokens: 1, outputTokens: 1 } },
  },
  keyName: 'ann',
  createdAt: 1,
});

const aPromptPart = (tenantId: string): PromptPartRecord => ({
  tenantId,
  owner: 'ses_1',
  hash: 'h',
  sessionId: 'ses_1',
  text: `prompt of ${tenantId}`,
  usedAt: 1,
});

const aLearnedRule = (tenantId: string): LearnedRuleRecord => ({
  tenantId,
  id: 'prp_1',
  state: 'accepted',
  rule: { tool: 'bash', pattern: `^echo ${tenantId}$`, decision: 'allow' },
  basedOn: 5,
  decidedBy: 'ann',
  decidedAt: 1,
});

const aFeedback = (tenantId: string): FeedbackRecord => ({
  tenantId,
  id: 'fbk_1',
  runId: 'run_1',
  sessionId: 'ses_1',
  keyName: 'ann',
  rating: 'down',
  text: 'Too long',
  agent: 'default',
  model: 'small',
  createdAt: 1,
  updatedAt: 1,
});

const aSavedView = (tenantId: string): SavedViewRecord => ({
  tenantId,
  screen: 'runs',
  name: 'mine',
  query: { status: 'failed' },
  savedBy: 'ann',
  savedAt: 1,
});
const aPrompt = (tenantId: string): PromptRecord => {
  return { tenantId, id: 'prm_1', name: 'water', text: 'Water the {{bed}}', variables: [{ name: 'bed' }], createdAt: 1, updatedAt: 1 };
};

const aDelivery = (tenantId: string): DeliveryRecord => ({
  tenantId,
  id: 'dlv_1',
  webhookId: 'whk_1',
  type: 'run.failed',
  body: '{}',
  status: 'pending',
  attempts: 0,
  nextAttemptAt: 1,
  createdAt: 1,
});

const aMember = (tenantId: string): SessionMember => ({
  tenantId,
  accessId: 'ses_1',
  member: '@ben',
  role: 'watcher',
  addedBy: '@ann',
  addedAt: 1,
});

const HASH = 'a'.repeat(64);
const aFile = (tenantId: string): WorkspaceFileRecord => {
  return { tenantId, path: 'a.md', version: 1, isDeleted: false, hash: HASH, size: 1, mode: 0o644, isLink: false };
};

const anMcpSession = (tenantId: string): McpSessionRecord => ({
  tenantId,
  id: 'mcp_1',
  keyId: 'key_1',
  locale: 'en',
  answersJson: false,
  canAsk: true,
  protocolVersion: '2025-11-25',
  usedAt: 1_000,
});

const READS: Record<Exclude<MethodOf<StoreReader>, OfAllTenants>, (read: StoreReader, tenantId: string) => Promise<unknown>> = {
  'sessions.get': (read, tenantId) => read.sessions.get(tenantId, 'ses_1'),
  'sessions.list': (read, tenantId) => read.sessions.list(tenantId, PAGE),
  'sessions.childIds': (read, tenantId) => read.sessions.childIds(tenantId, 'ses_1'),
  'runs.get': (read, tenantId) => read.runs.get(tenantId, 'run_1'),
  'runs.getState': (read, tenantId) => read.runs.getState(tenantId, 'run_1'),
  'runs.progress': (read, tenantId) => read.runs.progress(tenantId, ['run_1']),
  'runs.list': (read, tenantId) => read.runs.list(tenantId, {}, PAGE),
  'runs.count': (read, tenantId) => read.runs.count(tenantId, {}),
  'runs.findChild': (read, tenantId) => read.runs.findChild(tenantId, { runId: 'run_1', toolCallId: 'call_1', index: 0 }),
  'runs.children': (read, tenantId) => read.runs.children(tenantId, 'run_1'),
  'runs.after': (read, tenantId) => read.runs.after(tenantId, 'ses_1', 0),
  'runs.statesAfter': (read, tenantId) => read.runs.statesAfter(tenantId, 'ses_1', 0),
  'runs.active': (read, tenantId) => read.runs.active(tenantId, 'ses_1'),
  'runs.nextQueued': (read, tenantId) => read.runs.nextQueued(tenantId, 'ses_1'),
  'runs.countQueued': (read, tenantId) => read.runs.countQueued(tenantId, 'ses_1'),
  'runs.countUnfinished': (read, tenantId) => read.runs.countUnfinished(tenantId),
  // Promises no order.
  'runs.unfinishedOf': async (read, tenantId) =>
    (await read.runs.unfinishedOf(tenantId, 'ses_1')).toSorted((one, other) => one.id.localeCompare(other.id)),
  'events.list': (read, tenantId) => read.events.list(tenantId, 'run_1', 0, 10),
  'messages.get': (read, tenantId) => read.messages.get(tenantId, 'msg_1_0'),
  'messages.history': (read, tenantId) => read.messages.history(tenantId, 'ses_1'),
  'messages.beginningOf': (read, tenantId) => read.messages.beginningOf(tenantId, 'ses_1', 'run_1'),
  'sessionBranches.list': (read, tenantId) => read.sessionBranches.list(tenantId, 'ses_1'),
  'sessionBranches.sessions': (read, tenantId) => read.sessionBranches.sessions(tenantId, 'ses_1', PAGE),
  'sessionBranches.projects': (read, tenantId) => read.sessionBranches.projects(tenantId),
  'sessionBranches.sessionIds': (read, tenantId) => read.sessionBranches.sessionIds(tenantId, 'ses_1'),
  'messages.ofRun': (read, tenantId) => read.messages.ofRun(tenantId, 'ses_1', 1),
  'messages.sizes': (read, tenantId) => read.messages.sizes(tenantId, 'ses_1', 9, 10),
  'messages.list': (read, tenantId) => read.messages.list(tenantId, 'ses_1', PAGE),
  'summaries.get': (read, tenantId) => read.summaries.get(tenantId, 'ses_1'),
  'steeringMessages.pending': (read, tenantId) => read.steeringMessages.pending(tenantId, 'run_1'),
  'steeringMessages.writersOf': (read, tenantId) => read.steeringMessages.writersOf(tenantId, 'run_1'),
  'steeringMessages.countPending': (read, tenantId) => read.steeringMessages.countPending(tenantId, 'run_1'),
  'questions.get': (read, tenantId) => read.questions.get(tenantId, 'question-1'),
  'questions.list': (read, tenantId) => read.questions.list(tenantId, {}, PAGE),
  'questions.openText': (read, tenantId) => read.questions.openText(tenantId, 'ses_1', 2_000),
  'questions.newestAnswer': (read, tenantId) => read.questions.newestAnswer(tenantId, { sessionId: 'ses_1', grant: 'g' }),
  'toolExecutions.get': (read, tenantId) => read.toolExecutions.get(tenantId, 'exe_1'),
  'toolExecutions.getAnswer': (read, tenantId) => read.toolExecutions.getAnswer(tenantId, 'exe_1'),
  'toolExecutions.lastFileUse': (read, tenantId) => read.toolExecutions.lastFileUse(tenantId, 'ses_1', 'a.md'),
  'toolExecutions.list': (read, tenantId) => read.toolExecutions.list(tenantId, {}, PAGE),
  'toolExecutions.toolsOfSession': (read, tenantId) => read.toolExecutions.toolsOfSession(tenantId, 'ses_1'),
  'todos.get': (read, tenantId) => read.todos.get(tenantId, 'ses_1'),
  'terminals.get': (read, tenantId) => read.terminals.get(tenantId, 'ses_1'),
  'idempotencyKeys.get': (read, tenantId) => read.idempotencyKeys.get(tenantId, 'k'),
  'search.find': (read, tenantId) => read.search.find(tenantId, { query: 'beans', now: 2_000 }, PAGE),
  'hooks.get': (read, tenantId) => read.hooks.get(tenantId, 'hook_1'),
  'hooks.list': (read, tenantId) => read.hooks.list(tenantId),
  'hooks.listCalls': (read, tenantId) => read.hooks.listCalls(tenantId, 'hook_1'),
  'signIns.listOfPerson': (read, tenantId) => read.signIns.listOfPerson(tenantId, 'per_1'),
  'personFactors.list': (read, tenantId) => read.personFactors.list(tenantId),
  'personIdentities.list': (read, tenantId) => read.personIdentities.list(tenantId),
  'personFactors.listOfPerson': (read, tenantId) => read.personFactors.listOfPerson(tenantId, 'per_1'),
  'personIdentities.find': (read, tenantId) => read.personIdentities.find(tenantId, 'https://issuer.example', 'sub'),
  'personIdentities.listOfPerson': (read, tenantId) => read.personIdentities.listOfPerson(tenantId, 'per_1'),
  'personIdentities.listSessions': (read, tenantId) => read.personIdentities.listSessions({ ...aProviderSession(tenantId) }),
  'people.get': (read, tenantId) => read.people.get(tenantId, 'per_1'),
  'scim.listNames': (read, tenantId) => read.scim.listNames(tenantId),
  'scim.listGroups': (read, tenantId) => read.scim.listGroups(tenantId),
  'scim.listMembers': (read, tenantId) => read.scim.listMembers(tenantId),
  'people.list': (read, tenantId) => read.people.list(tenantId),
  'people.listHandles': (read, tenantId) => read.people.listHandles(tenantId),
  'jobs.get': (read, tenantId) => read.jobs.get(tenantId, 'job_1'),
  'jobs.list': (read, tenantId) => read.jobs.list(tenantId, PAGE),
  'jobs.count': (read, tenantId) => read.jobs.count(tenantId),
  'jobs.listRuns': (read, tenantId) => read.jobs.listRuns(tenantId, 'job_1', PAGE),
  'jobs.latestRuns': (read, tenantId) => read.jobs.latestRuns(tenantId),
  'jobs.countUnfinishedRuns': (read, tenantId) => read.jobs.countUnfinishedRuns(tenantId, 'job_1'),
  'jobs.hasRun': (read, tenantId) => read.jobs.hasRun(tenantId, 'job_1', 1_000),
  'jobs.ofRun': (read, tenantId) => read.jobs.ofRun(tenantId, 'run_1'),
  'memories.get': (read, tenantId) => read.memories.get(tenantId, 'mem_1'),
  'memories.list': (read, tenantId) => read.memories.list(tenantId, {}, PAGE),
  'memories.rank': (read, tenantId) => read.memories.rank(tenantId, { query: 'beans', viewer: TENANT_VIEWER }, 10),
  'memories.rankIds': (read, tenantId) => read.memories.rankIds(tenantId, { query: 'beans', viewer: TENANT_VIEWER }, 'any', 10),
  'memories.countChanges': (read, tenantId) => read.memories.countChanges(tenantId),
  'memories.listTimes': (read, tenantId) => read.memories.listTimes(tenantId, TENANT_VIEWER),
  'memories.readAll': (read, tenantId) => read.memories.readAll(tenantId, ['mem_1']),
  'memories.listTexts': (read, tenantId) => read.memories.listTexts(tenantId, { viewer: TENANT_VIEWER }, '', 10),
  'memories.findSame': (read, tenantId) => read.memories.findSame(tenantId, aMemory().text),
  'memories.count': (read, tenantId) => read.memories.count(tenantId),
  'memoryBlocks.ofSession': (read, tenantId) => read.memoryBlocks.ofSession(tenantId, 'ses_1'),
  'sessionMembers.list': (read, tenantId) => read.sessionMembers.list(tenantId, 'ses_1'),
  'sessionTools.get': (read, tenantId) => read.sessionTools.get({ tenantId, sessionId: 'ses_1', agent: 'default' }),
  'images.get': (read, tenantId) => read.images.get(tenantId, 'ses_1', 'img_1'),
  'responses.get': (read, tenantId) => read.responses.get(tenantId, 'run_1'),
  'uploadedFiles.get': (read, tenantId) => read.uploadedFiles.get(tenantId, 'file_1'),
  'uploadedFiles.list': (read, tenantId) => read.uploadedFiles.list(tenantId, { limit: 10, order: 'asc', now: 0 }),
  'uploadedFiles.count': (read, tenantId) => read.uploadedFiles.count(tenantId),
  'responses.count': (read, tenantId) => read.responses.count(tenantId, 'ses_1'),
  'mcpSessions.get': (read, tenantId) => read.mcpSessions.get(tenantId, 'mcp_1'),
  'mcpSessions.idsOfKey': (read, tenantId) => read.mcpSessions.idsOfKey(tenantId, 'key_1'),
  'savedViews.list': (read, tenantId) => read.savedViews.list(tenantId, 'runs'),
  'recordings.get': (read, tenantId) => read.recordings.get(tenantId, 'run_1'),
  'recordings.parts': (read, tenantId) => read.recordings.parts(tenantId, 'ses_1', ['h']),
  'recordings.newest': (read, tenantId) => read.recordings.newest(tenantId, 5),
  'suites.get': (read, tenantId) => read.suites.get(tenantId, 'cas_1'),
  'suites.cases': (read, tenantId) => read.suites.cases(tenantId),
  'suites.counts': (read, tenantId) => read.suites.counts(tenantId),
  'replayAnswers.get': (read, tenantId) => read.replayAnswers.get(tenantId, 'rpl_1'),
  'suites.list': (read, tenantId) => read.suites.list(tenantId, PAGE),
  'feedback.find': (read, tenantId) => read.feedback.find(tenantId, 'run_1', 'ann'),
  'feedback.list': (read, tenantId) => read.feedback.list({ tenantId }, { sessionId: 'ses_3' }, PAGE),
  'feedback.count': (read, tenantId) => read.feedback.count({ tenantId }, 0),
  'learnedRules.listDecisions': (read, tenantId) => read.learnedRules.listDecisions(tenantId),
  'learnedRules.listApprovals': (read, tenantId) => read.learnedRules.listApprovals(tenantId, { since: 0 }, PAGE),
  'shares.get': (read, tenantId) => read.shares.get(tenantId, 'shr_1'),
  'prompts.get': (read, tenantId) => read.prompts.get(tenantId, 'prm_1'),
  'prompts.findByName': (read, tenantId) => read.prompts.findByName(tenantId, 'water'),
  'prompts.list': (read, tenantId) => read.prompts.list(tenantId, { words: 'BED water', prefix: 'wa' }, PAGE),
  'prompts.count': (read, tenantId) => read.prompts.count(tenantId),
  'shares.list': (read, tenantId) => read.shares.list(tenantId, 'ses_1', 0),
  'push.list': (read, tenantId) => read.push.list(tenantId),
  'push.get': (read, tenantId) => read.push.get(tenantId, 'psh_1'),
  'webhooks.get': (read, tenantId) => read.webhooks.get(tenantId, 'whk_1'),
  'webhooks.ofRun': (read, tenantId) => read.webhooks.ofRun(tenantId, 'run_1'),
  'webhooks.listDeliveries': (read, tenantId) => read.webhooks.listDeliveries(tenantId, 'whk_1', PAGE),
  'webhooks.getDelivery': (read, tenantId) => read.webhooks.getDelivery(tenantId, 'dlv_1'),
  'workspaceFiles.head': (read, tenantId) => read.workspaceFiles.head(tenantId),
  'workspaceFiles.changedSince': (read, tenantId) => read.workspaceFiles.changedSince(tenantId, 0),
  'workspaceFiles.namesHash': (read, tenantId) => read.workspaceFiles.namesHash(tenantId, HASH),
  'workspaceBlobs.get': (read, tenantId) => read.workspaceBlobs.get(tenantId, HASH),
};

type Writes = Exclude<MethodOf<StoreTransaction>, MethodOf<StoreReader> | OfAllTenants>;

const WRITES: Record<Writes, (tx: StoreTransaction, tenantId: string) => Promise<unknown>> = {
  'sessions.insert': (tx, tenantId) => tx.sessions.insert(aSession({ tenantId })),
  'sessions.update': (tx, tenantId) => tx.sessions.update(tenantId, 'ses_1', { title: 'changed', updatedAt: 9 }),
  'sessions.touch': (tx, tenantId) => tx.sessions.touch(tenantId, 'ses_1', 9_000),
  'sessions.deletePart': (tx, tenantId) => tx.sessions.deletePart(tenantId, 'ses_1', 1_000),
  'sessions.delete': (tx, tenantId) => tx.sessions.delete(tenantId, 'ses_1'),
  'runs.insert': (tx, tenantId) => tx.runs.insert(aRun({ tenantId })),
  'runs.loseCallers': (tx, tenantId) => tx.runs.loseCallers({ tenantId, id: 'run_1' }, { now: 9, graceMs: 9 }),
  'runs.update': (tx, tenantId) => tx.runs.update(tenantId, 'run_1', { from: ['running'] }, { status: 'failed' }),
  'events.append': (tx, tenantId) => tx.events.append({ ...RUN, tenantId }, numbered([textDelta('b')], 2)),
  'messages.insert': (tx, tenantId) => tx.messages.insert([aMessage({ tenantId, position: 1 })]),
  'messages.change': (tx, tenantId) => tx.messages.change(tenantId, 'msg_1_0', { role: 'user', content: 'changed' }),
  'summaries.put': (tx, tenantId) =>
    tx.summaries.put({ tenantId, sessionId: 'ses_1', runOrdinal: 1, position: 0, text: 'changed', createdAt: 9 }),
  'steeringMessages.insert': (tx, tenantId) => tx.steeringMessages.insert(aSteeringMessage({ tenantId, id: 'steer_2' })),
  'steeringMessages.take': (tx, tenantId) => tx.steeringMessages.take(tenantId, ['steer_1'], 9),
  'questions.insert': (tx, tenantId) => tx.questions.insert(aQuestion({ tenantId, id: 'question-2' })),
  'questions.close': (tx, tenantId) => tx.questions.close(tenantId, 'question-1', { status: 'cancelled', closedAt: 9 }),
  'questions.setApprovals': (tx, tenantId) =>
    tx.questions.setApprovals(tenantId, 'question-1', [], [{ by: 'dora', at: 1, person: 'acme/dora' }]),
  'questions.passOn': (tx, tenantId) => tx.questions.passOn(tenantId, 'question-1', { escalatedAt: 99, passedTo: '@erik' }),
  'questions.extend': (tx, tenantId) => tx.questions.extend(tenantId, 'question-1', 99_000),
  'toolExecutions.insert': (tx, tenantId) => tx.toolExecutions.insert(aToolExecution({ tenantId, id: 'exe_2' })),
  'toolExecutions.putAnswer': (tx, tenantId) => tx.toolExecutions.putAnswer(tenantId, 'exe_1', { changed: true }),
  'toolExecutions.finish': (tx, tenantId) => tx.toolExecutions.finish(tenantId, 'exe_1', { status: 'error' }),
  'todos.put': (tx, tenantId) => tx.todos.put({ tenantId, sessionId: 'ses_1', todos: [], updatedAt: 9 }),
  'terminals.put': (tx, tenantId) => tx.terminals.put({ tenantId, sessionId: 'ses_1', state: { cwd: '/x', variables: {} }, updatedAt: 9 }),
  'idempotencyKeys.put': (tx, tenantId) =>
    tx.idempotencyKeys.put({ tenantId, key: 'k', fingerprint: 'changed', runId: 'run_1', createdAt: 9 }),
  'hooks.insert': (tx, tenantId) => tx.hooks.insert({ ...aHook(tenantId), name: 'changed' }),
  'hooks.update': (tx, tenantId) => tx.hooks.update({ ...aHook(tenantId), name: 'changed' }),
  'hooks.keepSession': (tx, tenantId) => tx.hooks.keepSession(tenantId, 'hook_1', { from: undefined, to: 'ses_9' }),
  'hooks.delete': (tx, tenantId) => tx.hooks.delete(tenantId, 'hook_1'),
  'hooks.insertCall': (tx, tenantId) => tx.hooks.insertCall({ ...aHookCall(tenantId), id: 'hkc_2' }),
  'hooks.deleteOldCalls': (tx, tenantId) => tx.hooks.deleteOldCalls(tenantId, 'hook_1', 0),
  'jobs.insert': (tx, tenantId) => tx.jobs.insert({ ...aJob(tenantId), name: 'changed' }),
  'jobs.update': (tx, tenantId) => tx.jobs.update({ ...aJob(tenantId), name: 'changed' }),
  'jobs.delete': (tx, tenantId) => tx.jobs.delete(tenantId, 'job_1'),
  'jobs.insertRun': (tx, tenantId) =>
    tx.jobs.insertRun({ tenantId, jobId: 'job_1', runId: 'run_1', sessionId: 'ses_1', dueAt: 9, trigger: 'schedule', createdAt: 9 }),
  'memories.insert': (tx, tenantId) => tx.memories.insert(aMemory({ tenantId, text: 'changed' })),
  'memories.update': (tx, tenantId) => tx.memories.update(tenantId, 'mem_1', { text: 'changed', updatedAt: 9 }),
  'memories.delete': (tx, tenantId) => tx.memories.delete(tenantId, 'mem_1'),
  'memories.markUsed': (tx, tenantId) => tx.memories.markUsed(tenantId, ['mem_1'], 9),
  'memoryBlocks.insert': (tx, tenantId) => tx.memoryBlocks.insert({ tenantId, sessionId: 'ses_1', memoryIds: [], createdAt: 9 }),
  'sessionMembers.put': (tx, tenantId) => tx.sessionMembers.put({ ...aMember(tenantId), role: 'driver' }),
  'sessionMembers.delete': (tx, tenantId) => tx.sessionMembers.delete(tenantId, 'ses_1', '@ben'),
  'sessionMembers.setVisibility': (tx, tenantId) => tx.sessionMembers.setVisibility(tenantId, 'ses_1', 'tenant'),
  'sessionTools.put': (tx, tenantId) =>
    tx.sessionTools.put({ tenantId, sessionId: 'ses_1', agent: 'default', names: ['changed'], updatedAt: 9 }),
  'images.insert': (tx, tenantId) =>
    tx.images.insert({ tenantId, sessionId: 'ses_1', id: 'img_1', mediaType: 'image/png', bytes: Buffer.from('changed'), createdAt: 9 }),
  'sessionBranches.beginChat': (tx, tenantId) => tx.sessionBranches.beginChat(tenantId, 'ses_1'),
  'sessionBranches.activate': (tx, tenantId) => tx.sessionBranches.activate(tenantId, 'ses_1', 'ses_3', 9),
  'sessionBranches.changeChat': (tx, tenantId) => tx.sessionBranches.changeChat(tenantId, 'ses_1', { title: 'Changed' }),
  'sessionCopies.begin': (tx, tenantId) => tx.sessionCopies.begin({ tenantId, sessionId: 'ses_1', sourceId: 'ses_1', now: 9 }),
  'sessionCopies.copyPart': (tx, tenantId) =>
    tx.sessionCopies.copyPart(tenantId, 'ses_1', { size: 10, now: 9, nextId: () => 'msg_changed' }),
  'sessionCopies.giveUp': (tx, tenantId) => tx.sessionCopies.giveUp(tenantId, 'ses_1', 9),
  'responses.insert': (tx, tenantId) =>
    tx.responses.insert({ tenantId, runId: 'run_1', sessionId: 'ses_1', settings: { changed: 1 }, input: [], isKept: true, createdAt: 9 }),
  'uploadedFiles.insert': (tx, tenantId) => tx.uploadedFiles.insert({ ...anUpload(tenantId), id: 'file_2' }),
  'uploadedFiles.share': (tx, tenantId) => tx.uploadedFiles.share(tenantId, 'file_1', { visibility: 'private', sharedWith: [] }),
  'uploadedFiles.expire': (tx, tenantId) => tx.uploadedFiles.expire(tenantId, 'file_1', 1),
  'uploadedFiles.delete': (tx, tenantId) => tx.uploadedFiles.delete(tenantId, 'file_1'),
  'responses.delete': (tx, tenantId) => tx.responses.delete(tenantId, 'run_1'),
  'mcpSessions.insert': (tx, tenantId) => tx.mcpSessions.insert({ ...anMcpSession(tenantId), locale: 'zh-CN' }),
  'mcpSessions.touch': (tx, tenantId) => tx.mcpSessions.touch(tenantId, 'mcp_1', 9),
  'mcpSessions.delete': (tx, tenantId) => tx.mcpSessions.delete(tenantId, 'mcp_1'),
  'savedViews.put': (tx, tenantId) => tx.savedViews.put({ ...aSavedView(tenantId), query: { changed: '1' } }),
  'savedViews.delete': (tx, tenantId) => tx.savedViews.delete(tenantId, 'runs', 'mine'),
  'recordings.putPart': (tx, tenantId) => tx.recordings.putPart({ ...aPromptPart(tenantId), text: 'changed' }),
  'suites.insert': (tx, tenantId) => tx.suites.insert({ ...aSuiteCase(tenantId), id: 'cas_2' }),
  'suites.setOutcome': (tx, tenantId) => tx.suites.setOutcome(tenantId, 'cas_1', { at: 1, passed: true, failed: [] }),
  'suites.deleteCase': (tx, tenantId) => tx.suites.deleteCase(tenantId, 'regress', 'cas_1'),
  'suites.deleteSuite': (tx, tenantId) => tx.suites.deleteSuite(tenantId, 'regress'),
  'replayAnswers.insert': (tx, tenantId) => tx.replayAnswers.insert({ tenantId, id: 'rpl_2', owner: 'me', createdAt: 1 }),
  'replayAnswers.setAnswer': (tx, tenantId) => tx.replayAnswers.setAnswer(tenantId, 'rpl_1', { changed: true }),
  'replayAnswers.delete': (tx, tenantId) => tx.replayAnswers.delete(tenantId, 'rpl_1'),
  'feedback.put': (tx, tenantId) => tx.feedback.put({ ...aFeedback(tenantId), text: 'changed' }),
  'feedback.delete': (tx, tenantId) => tx.feedback.delete(tenantId, 'run_1', 'ann'),
  'learnedRules.put': (tx, tenantId) => tx.learnedRules.put({ ...aLearnedRule(tenantId), basedOn: 6 }),
  'prompts.put': (tx, tenantId) => tx.prompts.put({ ...aPrompt(tenantId), text: 'changed' }),
  'prompts.delete': (tx, tenantId) => tx.prompts.delete(tenantId, 'prm_1'),
  'shares.insert': (tx, tenantId) => tx.shares.insert({ ...aShare(tenantId), id: 'shr_2', tokenHash: `${tenantId} 2` }),
  'shares.delete': (tx, tenantId) => tx.shares.delete(tenantId, 'shr_1'),
  'push.insert': (tx, tenantId) => tx.push.insert({ ...aDevice(tenantId), endpoint: `https://changed.example/${tenantId}` }),
  'push.update': (tx, tenantId) => tx.push.update(tenantId, 'psh_1', { ...aDevice(tenantId), locale: 'zh-CN' }),
  'push.setLastUse': (tx, tenantId) => tx.push.setLastUse(tenantId, 'psh_1', 9_000),
  'push.delete': (tx, tenantId) => tx.push.delete(tenantId, 'psh_1'),
  'push.hold': (tx, tenantId) => tx.push.hold(tenantId),
  'push.insertDeliveries': (tx, tenantId) => tx.push.insertDeliveries([{ ...aNotice(tenantId), id: 'psd_2' }]),
  'push.retryDelivery': (tx, tenantId) => tx.push.retryDelivery(tenantId, 'psd_1', 0, 9),
  'push.deleteDelivery': (tx, tenantId) => tx.push.deleteDelivery(tenantId, 'psd_1'),
  'push.insertAction': (tx, tenantId) => tx.push.insertAction(anAction(tenantId, 'changed')),
  'signIns.insert': (tx, tenantId) => tx.signIns.insert({ ...aSignIn(tenantId), id: 'sig_2' }),
  'signIns.delete': (tx, tenantId) => tx.signIns.delete(tenantId, 'sig_1'),
  'signIns.deleteOfPerson': (tx, tenantId) => tx.signIns.deleteOfPerson(tenantId, 'per_1'),
  'personFactors.insert': (tx, tenantId) => tx.personFactors.insert({ ...aFactor(tenantId), id: 'fac_2', credential: `two ${tenantId}` }),
  'personFactors.activate': (tx, tenantId) => tx.personFactors.activate(tenantId, 'fac_1'),
  'personFactors.use': (tx, tenantId) => tx.personFactors.use(tenantId, 'fac_1', { counter: 9, at: 9 }),
  'personFactors.useWithoutCounter': (tx, tenantId) => tx.personFactors.useWithoutCounter(tenantId, 'fac_1', 9),
  'personFactors.addTry': (tx, tenantId) => tx.personFactors.addTry(tenantId, 'fac_1', 9),
  'personFactors.delete': (tx, tenantId) => tx.personFactors.delete(tenantId, 'per_1', 'fac_1'),
  'personFactors.deleteOfPerson': (tx, tenantId) => tx.personFactors.deleteOfPerson(tenantId, 'per_1'),
  'personIdentities.insert': (tx, tenantId) => tx.personIdentities.insert({ ...anIdentity(tenantId), subject: 'another' }),
  'personIdentities.delete': (tx, tenantId) => tx.personIdentities.delete(tenantId, 'https://issuer.example', 'sub'),
  'personIdentities.setGroups': (tx, tenantId) => tx.personIdentities.setGroups(anIdentity(tenantId), ['garden']),
  'personIdentities.deleteOfPerson': (tx, tenantId) => tx.personIdentities.deleteOfPerson(tenantId, 'per_1'),
  'personIdentities.insertSession': (tx, tenantId) =>
    tx.personIdentities.insertSession({ ...aProviderSession(tenantId), tokenHash: `two ${tenantId}` }),
  'scim.setName': (tx, tenantId) => tx.scim.setName({ tenantId, personId: 'per_1', userName: 'changed' }),
  'scim.forget': (tx, tenantId) => tx.scim.forget(tenantId, 'per_1'),
  'scim.insertGroup': (tx, tenantId) => tx.scim.insertGroup({ ...aGroup(tenantId), id: 'grp_2' }),
  'scim.updateGroup': (tx, tenantId) => tx.scim.updateGroup({ ...aGroup(tenantId), name: 'changed' }),
  'scim.setMembers': (tx, tenantId) => tx.scim.setMembers(tenantId, 'grp_1', []),
  'scim.deleteGroup': (tx, tenantId) => tx.scim.deleteGroup(tenantId, 'grp_1'),
  'people.insert': (tx, tenantId) =>
    tx.people.insert({ ...aPerson(tenantId), id: 'per_2', handle: '@two', email: `two@${tenantId}`, subject: 'two' }),
  'people.update': (tx, tenantId) => tx.people.update({ ...aPerson(tenantId), name: 'changed' }),
  'people.markLogin': (tx, tenantId) => tx.people.markLogin(tenantId, 'per_1', 9),
  'people.insertInvitation': (tx, tenantId) => tx.people.insertInvitation({ ...anInvitation(tenantId), id: 'inv_2', tokenHash: 'two' }),
  'people.deletePasswordLinks': (tx, tenantId) => tx.people.deletePasswordLinks(tenantId, 'per_1'),
  'people.deleteInvitation': (tx, tenantId) => tx.people.deleteInvitation(tenantId, 'inv_1'),
  'webhooks.insert': (tx, tenantId) => tx.webhooks.insert({ ...aWebhook(tenantId), url: 'https://changed.example' }),
  'webhooks.delete': (tx, tenantId) => tx.webhooks.delete(tenantId, 'whk_1'),
  'webhooks.moveTo': (tx, tenantId) => tx.webhooks.moveTo(tenantId, 'whk_1', { url: 'https://changed.example' }),
  'webhooks.disable': (tx, tenantId) => tx.webhooks.disable(tenantId, 'whk_1', 'changed'),
  'webhooks.hold': (tx, tenantId) => tx.webhooks.hold(tenantId, 'run_1'),
  'webhooks.endRun': (tx, tenantId) => tx.webhooks.endRun(tenantId, 'run_1', 9),
  'webhooks.insertDeliveries': (tx, tenantId) => tx.webhooks.insertDeliveries([{ ...aDelivery(tenantId), id: 'dlv_2' }]),
  'webhooks.updateDelivery': (tx, tenantId) => tx.webhooks.updateDelivery(tenantId, 'dlv_1', 0, { status: 'failed' }),
  'webhooks.replayDelivery': (tx, tenantId) => tx.webhooks.replayDelivery(tenantId, 'dlv_1', 9),
  'fileLocks.acquire': (tx, tenantId) => tx.fileLocks.acquire({ tenantId, path: 'a.md', owner: 'node-9' }, 9),
  'fileLocks.release': (tx, tenantId) => tx.fileLocks.release({ tenantId, path: 'a.md', owner: 'node-9' }),
  'workspaceFiles.commit': (tx, tenantId) => tx.workspaceFiles.commit(tenantId, { version: 1, files: 9, bytes: 9 }, [aFile(tenantId)]),
  'workspaceBlobs.touch': (tx, tenantId) => tx.workspaceBlobs.touch(tenantId, HASH, 9),
  'workspaceBlobs.put': (tx, tenantId) => tx.workspaceBlobs.put(tenantId, [{ hash: HASH, bytes: Buffer.from('changed') }], 9),
};

/** Gives a tenant at least one row for each read. */
async function fill(tx: StoreTransaction, tenantId: string): Promise<void> {
  await tx.sessions.insert(aSession({ tenantId, owner: '@ann', visibility: 'shared', accessId: 'ses_1' }));
  await tx.sessions.insert(aSession({ tenantId, id: 'ses_2', parentSessionId: 'ses_1', parentRunId: 'run_1' }));
  await tx.runs.insert(aRun({ tenantId }));
  await tx.runs.insert(aRun({ tenantId, id: 'run_2', status: 'queued' }));
  const parent = { runId: 'run_1', sessionId: 'ses_1', toolCallId: 'call_1', index: 0 };
  await tx.runs.insert(aRun({ tenantId, id: 'run_3', sessionId: 'ses_2', parent }));
  await tx.sessionBranches.beginChat(tenantId, 'ses_1');
  await tx.sessions.insert(aSession({ tenantId, id: 'ses_3', rootSessionId: 'ses_1', beforeRunId: 'run_1', project: 'Garden' }));
  await tx.runs.insert(aRun({ tenantId, id: 'run_4', sessionId: 'ses_3', status: 'completed' }));
  await tx.messages.insert([aMessage({ tenantId })]);
  await tx.events.append({ ...RUN, tenantId }, numbered([textDelta('a')]));
  await tx.summaries.put({ tenantId, sessionId: 'ses_1', runOrdinal: 1, position: 0, text: 'beans', createdAt: 1 });
  await tx.steeringMessages.insert(aSteeringMessage({ tenantId }));
  await tx.steeringMessages.insert(aSteeringMessage({ tenantId, id: 'steer_taken', writtenBy: 'dora', takenAt: 1_500 }));
  await tx.questions.insert(aQuestion({ tenantId, mode: 'text' }));
  const approval = { tool: 't', label: 'T', args: {}, fingerprint: 'f', sessionScope: 'exact' as const, grant: 'g' };
  await tx.questions.insert(aQuestion({ tenantId, id: 'approval-1', kind: 'approval', approval }));
  await tx.questions.close(tenantId, 'approval-1', { status: 'answered', answer: '{}', closedAt: 2, decidedBy: `key of ${tenantId}` });
  await tx.toolExecutions.insert(aToolExecution({ tenantId, details: { path: 'a.md', version: '1' } }));
  await tx.toolExecutions.putAnswer(tenantId, 'exe_1', { answer: 1 });
  await tx.todos.put({ tenantId, sessionId: 'ses_1', todos: [], updatedAt: 1 });
  await tx.terminals.put({ tenantId, sessionId: 'ses_1', state: { cwd: '/w', variables: {} }, updatedAt: 1 });
  await tx.idempotencyKeys.put({ tenantId, key: 'k', fingerprint: 'f', runId: 'run_1', createdAt: 1 });
  await tx.hooks.insert(aHook(tenantId));
  await tx.hooks.insertCall(aHookCall(tenantId));
  await tx.jobs.insert(aJob(tenantId));
  await tx.jobs.insertRun({
    tenantId,
    jobId: 'job_1',
    runId: 'run_1',
    sessionId: 'ses_1',
    dueAt: 1_000,
    trigger: 'schedule',
    createdAt: 1,
  });
  await tx.mcpSessions.insert(anMcpSession(tenantId));
  const recording = { prompt: [{ part: 'h' }], tools: 't', calls: [{ request: 'r' }] };
  await tx.runs.update(tenantId, 'run_1', { from: ['running'] }, { recording });
  await tx.recordings.putPart(aPromptPart(tenantId));
  await tx.suites.insert(aSuiteCase(tenantId));
  await tx.replayAnswers.insert({ tenantId, id: 'rpl_1', sessionId: 'ses_1', owner: 'me', answer: { text: 'a' }, createdAt: 1 });
  await tx.feedback.put(aFeedback(tenantId));
  await tx.learnedRules.put(aLearnedRule(tenantId));
  await tx.savedViews.put(aSavedView(tenantId));
  await tx.prompts.put(aPrompt(tenantId));
  await tx.shares.insert(aShare(tenantId));
  await tx.push.insert(aDevice(tenantId));
  await tx.push.insertDeliveries([aNotice(tenantId)]);
  await tx.push.insertAction(anAction(tenantId));
  await tx.webhooks.insert(aWebhook(tenantId));
  await tx.people.insert(aPerson(tenantId));
  await tx.personIdentities.insert(anIdentity(tenantId));
  await tx.personFactors.insert(aFactor(tenantId));
  await tx.signIns.insert(aSignIn(tenantId));
  await tx.personIdentities.insertSession(aProviderSession(tenantId));
  await tx.people.insertInvitation(anInvitation(tenantId));
  await tx.scim.setName({ tenantId, personId: 'per_1', userName: 'one' });
  await tx.scim.insertGroup(aGroup(tenantId));
  await tx.scim.setMembers(tenantId, 'grp_1', ['per_1']);
  await tx.webhooks.insertDeliveries([aDelivery(tenantId)]);
  await tx.workspaceBlobs.put(tenantId, [{ hash: HASH, bytes: Buffer.from('a') }], 1);
  await tx.workspaceFiles.commit(tenantId, { version: 1, files: 1, bytes: 1 }, [aFile(tenantId)]);
  await tx.memories.insert(aMemory({ tenantId }));
  await tx.memoryBlocks.insert({ tenantId, sessionId: 'ses_1', memoryIds: ['mem_1'], createdAt: 1 });
  await tx.sessionMembers.put(aMember(tenantId));
  await tx.sessionTools.put({ tenantId, sessionId: 'ses_1', agent: 'default', names: ['a'], updatedAt: 1 });
  await tx.images.insert({ tenantId, sessionId: 'ses_1', id: 'img_1', mediaType: 'image/png', bytes: Buffer.from('a'), createdAt: 1 });
  await tx.uploadedFiles.insert(anUpload(tenantId));
  await tx.responses.insert({ tenantId, runId: 'run_1', sessionId: 'ses_1', settings: {}, input: [], isKept: true, createdAt: 1 });
}

/** True for an answer that tells of no row: nothing, zero, an empty list or page. */
function isNothing(found: unknown): boolean {
  if (typeof found !== 'object' || found === null) return !found;
  const values = Array.isArray(found) ? found : Object.values(found);
  return values.every(isNothing);
}

const readAll = async (read: StoreReader, tenantId: string): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(READS)) found[name] = await call(read, tenantId);
  return found;
};

export function describeTenantIsolation(store: CurrentStore): void {
  beforeEach(async () => {
    await store().transaction('none', tx => fill(tx, OWNER));
    while (await store().transaction('none', tx => tx.searchIndex.indexNext()));
  });

  test.each(Object.entries(READS))('%s finds the rows of their tenant, and nothing for another one', async (_name, call) => {
    expect(isNothing(await call(store().read, OWNER))).toBe(false);
    expect(isNothing(await call(store().read, OTHER))).toBe(true);
  });

  test.each(Object.entries(WRITES))('%s for another tenant leaves every row of the first one as it was', async (_name, call) => {
    const before = await readAll(store().read, OWNER);
    // Most are refused, because the other tenant has no such session.
    await store()
      .transaction('none', tx => call(tx, OTHER))
      .catch(() => {});
    expect(await readAll(store().read, OWNER)).toEqual(before);
  });

  test('two tenants have the same ids, and each write touches the rows of its tenant alone', async () => {
    const before = await readAll(store().read, OWNER);
    await store().transaction('none', tx => fill(tx, OTHER));
    while (await store().transaction('none', tx => tx.searchIndex.indexNext()));
    for (const call of Object.values(WRITES)) {
      await store()
        .transaction('none', tx => call(tx, OTHER))
        .catch(() => {});
      expect(await readAll(store().read, OWNER)).toEqual(before);
    }
  });
}

const aSignIn = (tenantId: string): SignInRecord => ({
  tenantId,
  id: 'sig_1',
  personId: 'per_1',
  at: 1,
  way: 'password',
  address: '192.0.2.1',
  network: '192.0.2.0/24',
  client: 'Firefox, Linux',
  kind: 'usual',
});

const aFactor = (tenantId: string): FactorRecord => ({
  tenantId,
  id: 'fac_1',
  personId: 'per_1',
  kind: 'passkey',
  name: 'Phone',
  credential: `one ${tenantId}`,
  secret: 'key',
  state: 'active',
  counter: 1,
  failures: 0,
  createdAt: 1,
});

const anIdentity = (tenantId: string): IdentityRecord => ({
  tenantId,
  issuer: 'https://issuer.example',
  subject: 'sub',
  personId: 'per_1',
  createdAt: 1,
});

const aProviderSession = (tenantId: string): ProviderSessionRecord => ({
  tokenHash: `one ${tenantId}`,
  tenantId,
  provider: 'staff',
  issuer: 'https://issuer.example',
  subject: 'sub',
  sessionId: 'session',
  expiresAt: 9,
});

const aGroup = (tenantId: string): ScimGroupRecord => ({ tenantId, id: 'grp_1', name: 'staff', createdAt: 1, updatedAt: 1 });

const aPerson = (tenantId: string): PersonRecord => ({
  tenantId,
  id: 'per_1',
  handle: '@anna',
  name: 'Anna',
  email: `anna@${tenantId}`,
  role: 'member',
  locale: 'en',
  state: 'active',
  subject: `subject of ${tenantId}`,
  passwordHash: '',
  madeBy: 'invitation',
  createdAt: 1,
  updatedAt: 1,
});

const anInvitation = (tenantId: string): InvitationRecord => ({
  tenantId,
  id: 'inv_1',
  tokenHash: `token of ${tenantId}`,
  role: 'member',
  personId: 'per_1',
  keyName: 'root',
  createdAt: 1,
  expiresAt: 9,
});
