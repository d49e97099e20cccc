/** The contract of the store port; each adapter runs this suite. */
import type { Store } from '../../src/port/store/store';
import { describeApiKeys } from './store/api_keys';
import { describeAudit } from './store/audit';
import { describeEventExpiry } from './store/event_expiry';
import { describeEvents } from './store/events';
import { describeFileLocks } from './store/file_locks';
import { describeHooks } from './store/hooks';
import { describeImages } from './store/images';
import { describeJobs, describeSharedJobs } from './store/jobs';
import { describeLeases } from './store/leases';
import { describeMemories } from './store/memories';
import { describeMessages } from './store/messages';
import { describeOps } from './store/ops';
import { describePages } from './store/pages';
import { describePush } from './store/push';
import { describeQuestions } from './store/questions';
import { describeResponses } from './store/responses';
import { describeRetention } from './store/retention';
import { describeRuns } from './store/runs';
import { describeSearch } from './store/search';
import { describeSessionCopies } from './store/session_copies';
import { describeSessionTools } from './store/session_tools';
import { describeSessions } from './store/sessions';
import { describeSharedDatabase } from './store/shared_database';
import { describeSteeringMessages } from './store/steering_messages';
import { describeSummaries } from './store/summaries';
import { describeTenantIsolation } from './store/tenant_isolation';
import { describeTenants } from './store/tenants';
import { describeTodosAndKeys } from './store/todos_and_keys';
import { describeToolExecutions } from './store/tool_executions';
import { describeTransactions } from './store/transactions';
import { describeUploadedFiles } from './store/uploaded_files';
import { describeUsageAndRates } from './store/usage_and_rates';
import { describeVectors } from './store/vectors';
import { describeWebhooks } from './store/webhooks';
import { describeWorkspaceSnapshots } from './store/workspace_snapshots';

/** A new, empty store, and the function that removes it. */
export interface StoreUnderTest {
  store: Store;
  /** Opens a second store on the same database, as another process would; `release` closes it too. */
  openAnother(): Promise<Store>;
  release(): Promise<void>;
}

/** Returns the store of the running test. */
export type CurrentStore = () => Store;

export function describeStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store`, () => {
    let current: StoreUnderTest;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(() => current.release());
    const store: CurrentStore = () => current.store;

    describe('sessions', () => describeSessions(store));
    describe('copies of sessions', () => describeSessionCopies(store));
    describe('runs', () => describeRuns(store));
    describe('leases', () => describeLeases(store, () => current.openAnother()));
    describe('file locks', () => describeFileLocks(store));
    describe('steering messages', () => describeSteeringMessages(store));
    describe('messages', () => describeMessages(store));
    describe('images', () => describeImages(store));
    describe('summaries', () => describeSummaries(store));
    describe('events', () => describeEvents(store));
    describe('event expiry', () => describeEventExpiry(store));
    describe('questions', () => describeQuestions(store));
    describe('tool executions', () => describeToolExecutions(store));
    describe('tools of sessions', () => describeSessionTools(store));
    describe('responses', () => describeResponses(store));
    describe('uploaded files', () => describeUploadedFiles(store));
    describe('todos and idempotency keys', () => describeTodosAndKeys(store));
    describe('search', () => describeSearch(store, () => current.openAnother()));
    describe('jobs', () => describeJobs(store));
    describe('memories', () => describeMemories(store));
    describe('operators', () => describeOps(store, () => current.openAnother()));
    describe('usage and rates', () => describeUsageAndRates(store, () => current.openAnother()));
    describe('vectors', () => describeVectors(store));
    describe('web push', () => describePush(store));
    describe('hooks', () => describeHooks(store));
    describe('webhooks', () => describeWebhooks(store));
    describe('workspace snapshots', () => describeWorkspaceSnapshots(store));
    describe('API keys and logins', () => describeApiKeys(store));
    describe('the audit log', () => describeAudit(store, () => current.openAnother()));
    describe('retention', () => describeRetention(store));
    describe('pages', () => describePages(store));
    describe('tenants', () => describeTenants(store));
    describe('another tenant', () => describeTenantIsolation(store));
    describe('transactions', () => describeTransactions(store));
    describe('two stores on one database', () => describeSharedDatabase(store, () => current.openAnother()));
    describe('jobs in two stores', () => describeSharedJobs(store, () => current.openAnother()));
  });
}
