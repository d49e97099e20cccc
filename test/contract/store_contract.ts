/** What every store must do; each adapter runs this suite. */
import type { Store } from '../../src/port/store/store';
import { describeClarifications } from './store/clarifications';
import { describeEventExpiry } from './store/event_expiry';
import { describeEvents } from './store/events';
import { describeLeases } from './store/leases';
import { describeMessages } from './store/messages';
import { describePages } from './store/pages';
import { describeRuns } from './store/runs';
import { describeSessions } from './store/sessions';
import { describeSharedDatabase } from './store/shared_database';
import { describeSteers } from './store/steers';
import { describeTenants } from './store/tenants';
import { describeTodosAndKeys } from './store/todos_and_keys';
import { describeToolExecutions } from './store/tool_executions';
import { describeTransactions } from './store/transactions';

/** A fresh, empty store, and how to take it away. */
export interface StoreUnderTest {
  store: Store;
  /** One more store on the same database, as another process would open it; `release` closes it too. */
  openAnother(): Promise<Store>;
  release(): Promise<void>;
}

/** The store of the running test. */
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
    describe('runs', () => describeRuns(store));
    describe('leases', () => describeLeases(store));
    describe('steers', () => describeSteers(store));
    describe('messages', () => describeMessages(store));
    describe('events', () => describeEvents(store));
    describe('expiry of events', () => describeEventExpiry(store));
    describe('clarifications', () => describeClarifications(store));
    describe('tool executions', () => describeToolExecutions(store));
    describe('todos and idempotency keys', () => describeTodosAndKeys(store));
    describe('pages', () => describePages(store));
    describe('tenants', () => describeTenants(store));
    describe('transactions', () => describeTransactions(store));
    describe('beside another on one database', () => describeSharedDatabase(store, () => current.openAnother()));
  });
}
