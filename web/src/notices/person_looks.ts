/** Tells whether the person looks at any tab of the page, and lets one tab of several announce something. Uses Web Locks, as page_lock.ts does. */
import { nameHere } from '../platform/root';

const LOOKING = nameHere('neta.looking');

/** Milliseconds for which a tab keeps an announcement to itself: the other tabs hear of the same event within this time. */
const ANNOUNCED_MS = 20_000;

/** Holds a lock while this tab is visible. */
export function tellWhenLooking(): void {
  let release: (() => void) | undefined;
  const follow = () => {
    release?.();
    release = undefined;
    if (document.hidden) return;
    const untilHidden = new Promise<void>(resolve => {
      release = resolve;
    });
    void findLocks()
      ?.request(LOOKING, { mode: 'shared' }, () => untilHidden)
      .catch(() => undefined);
  };
  follow();
  document.addEventListener('visibilitychange', follow);
}

/** Resolves with true when this tab shall announce the event: no tab is visible, and no other tab announces it. Never rejects. */
export async function mayAnnounce(event: string): Promise<boolean> {
  if (!document.hidden) return false;
  const locks = findLocks();
  if (!locks) return true;
  try {
    const { held = [] } = await locks.query();
    if (held.some(({ name }) => name === LOOKING)) return false;
    return await new Promise<boolean>((resolve, reject) => {
      const announce = (lock: Lock | null) => {
        resolve(lock !== null);
        return lock && new Promise(end => setTimeout(end, ANNOUNCED_MS));
      };
      locks.request(nameHere(`neta.announced.${event}`), { ifAvailable: true }, announce).catch(reject);
    });
  } catch {
    return true;
  }
}

/** Absent without HTTPS. */
const findLocks = (): LockManager | undefined => navigator.locks as LockManager | undefined;
