import { openTemporaryStore } from '../../support/temporary_store';
import { describeStoreContract } from '../../contract/store_contract';

describeStoreContract('SQLite', openTemporaryStore);
