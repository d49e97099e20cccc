import { createSealer } from '../../../src/adapter/local/disk/sealer';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { LoginKeeper } from '../../../src/feature/mcp_client/login_keeper';
import { memorySecrets } from '../../support/memory_secrets';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.release());

const keeper = (url = 'https://mcp.example.com/mcp', secret = 'k'.repeat(32)) =>
  new LoginKeeper('tracker', url, {
    store: temporary.store,
    sealer: createSealer({ secret, file: '' }),
    clock: createSystemClock(),
    secretStore: memorySecrets(),
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
