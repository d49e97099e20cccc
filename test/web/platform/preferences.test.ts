/** The choices of a browser, with two tabs over one storage. */
import { createPreferences } from '../../../web/src/platform/preferences';

it('does not take back what another tab chooses while its own news of it are on the way', () => {
  const shared = new Map<string, string>();
  const writes: string[] = [];
  /** What this tab sees of the storage: another process may have written more. */
  let seen = shared;
  let hear: (event: { key: string | null }) => void = () => {};
  Object.assign(globalThis, {
    addEventListener: (_type: string, listener: typeof hear) => {
      hear = listener;
    },
    document: { documentElement: { dataset: {} }, querySelector: () => null },
    localStorage: {
      getItem: (key: string) => seen.get(key) ?? null,
      setItem: (key: string, value: string) => {
        writes.push(key);
        shared.set(key, value);
      },
    },
  });
  const tab = createPreferences();
  seen = new Map([['neta.theme', 'dark']]);
  shared.set('neta.theme', 'dark').set('neta.density', 'compact');
  hear({ key: 'neta.theme' });
  expect(tab.get()).toMatchObject({ theme: 'dark', density: 'comfortable' });
  expect(writes).toEqual([]);
  seen = shared;
  hear({ key: 'neta.density' });
  tab.set({ sounds: 'on' });
  expect(tab.get()).toMatchObject({ theme: 'dark', density: 'compact', sounds: 'on' });
  expect(writes).toEqual(['neta.sounds']);
});
