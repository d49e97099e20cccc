import { createSealer } from '../../../src/adapter/local/disk/sealer';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { AppError } from '../../../src/errors';
import { LoginKeeper } from '../../../src/feature/mcp_client/login_keeper';
import type { Store } from '../../../src/port/store/store';
import { memorySecrets } from '../../support/memory_secrets';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.release());

const URL_OF_SERVER = 'https://mcp.example.com/mcp';
const keeper = (url = URL_OF_SERVER, secret = 'k'.repeat(32), secrets = memorySecrets(), store: Store = temporary.store) =>
  new LoginKeeper('tracker', url, {
    store,
    sealer: createSealer({ secret, file: '' }),
    clock: createSystemClock(),
    secretStore: secrets,
  });

it('gives the login to every gateway with the same key, and to no server at another address', async () => {
  await keeper().write('one');
  expect(await keeper().read()).toBe('one');
  expect(await keeper('https://other.example.com/mcp').read()).toBeUndefined();
  expect(await keeper(undefined, 'l'.repeat(32)).read()).toBeUndefined();
});

it('makes one change at a time, and each sees the one before', async () => {
  await keeper().write('');
  let running = 0;
  const change = async (login: string): Promise<string> => {
    running += 1;
    expect(running).toBe(1);
    await new Promise(resolve => setImmediate(resolve));
    running -= 1;
    return `${login}x`;
  };
  await Promise.all([keeper().change(change), keeper().change(change), keeper().change(change)]);
  expect(await keeper().read()).toBe('xxx');
});

it('keeps a login that a person makes while an older one is refreshed', async () => {
  await keeper().write('old');
  await keeper().change(async () => {
    await keeper().write('of the person');
    return 'refreshed';
  });
  expect(await keeper().read()).toBe('of the person');
});

it('lets others change the login after a change that failed, and changes nothing where no login is', async () => {
  await keeper().change(async () => 'never');
  expect(await keeper().read()).toBeUndefined();
  await keeper().write('one');
  await expect(keeper().change(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  await keeper().change(async login => `${login}, two`);
  expect(await keeper().read()).toBe('one, two');
});

it('moves no old login over one that another gateway has moved and refreshed', async () => {
  const secrets = memorySecrets();
  await secrets.write('mcp_login_tracker', JSON.stringify({ url: URL_OF_SERVER }));
  const { store } = temporary;
  let reads = 0;
  // The other gateway moves the login between the two reads.
  const get = async (id: string) => {
    const row = await store.read.mcpLogins.get(id);
    if (reads++ === 0) await keeper().write('refreshed');
    return row;
  };
  const read = { mcpLogins: { get } };
  const late = { read, transaction: store.transaction.bind(store) } as unknown as Store;
  expect(await keeper(undefined, undefined, secrets, late).read()).toBe('refreshed');
  expect(secrets.read('mcp_login_tracker')).toBeUndefined();
});

it('stores a changed login once the store is back', async () => {
  await keeper().write('old');
  const { store } = temporary;
  let failures = 0;
  const transaction: Store['transaction'] = (...args) => {
    if (failures > 0 && failures-- > 0) return Promise.reject(new AppError('store_unavailable'));
    return store.transaction(...args);
  };
  const shaky = { read: store.read, transaction } as unknown as Store;
  await keeper(undefined, undefined, undefined, shaky).change(async () => {
    failures = 2;
    return 'new';
  });
  expect(await keeper().read()).toBe('new');
});
