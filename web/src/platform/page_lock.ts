/**
 * Tells open pages from closed ones: each page holds a Web Lock under its own id until it closes, also while its tab sleeps. A reload is a new
 * page. Browsers offer Web Locks over HTTPS and on localhost only.
 */
import { withinLimit } from './time_limit';

export interface PageLock {
  /** Resolves when the other pages can see that this page is open. Never rejects. */
  readonly held: Promise<unknown>;
  /** Resolves with the ids that certainly belong to closed pages; with undefined when the browser has no locks. Never rejects. */
  findClosed(pageIds: readonly string[]): Promise<ReadonlySet<string> | undefined>;
  /** Resolves when the other page has closed. Stays pending where the browser cannot tell. Never rejects. */
  waitUntilClosed(pageId: string): Promise<void>;
}

/** A lock that is free is granted at once; a browser that does not answer must not hold up a message. */
const LIMIT_MS = 2000;

export function holdPageLock(pageId: string): PageLock {
  // Absent without HTTPS, and in tests.
  const locks = typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined);
  return {
    held: withinLimit(acquire(locks, nameOf(pageId)), LIMIT_MS),
    findClosed: async pageIds => {
      if (!locks) return undefined;
      const snapshot = await withinLimit(locks.query(), LIMIT_MS);
      if (!snapshot) return new Set();
      const open = new Set(snapshot.held?.map(({ name }) => name));
      return new Set(pageIds.filter(id => !open.has(nameOf(id))));
    },
    waitUntilClosed: async other => {
      try {
        await locks?.request(nameOf(other), { mode: 'shared' }, () => undefined);
        if (locks) return;
      } catch {
        // The browser forbids locks on this page.
      }
      await new Promise<never>(() => undefined);
    },
  };
}

const nameOf = (pageId: string): string => `neta.page.${pageId}`;

/** Resolves when the page has the lock, which ends with the page. */
function acquire(locks: LockManager | undefined, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!locks) return resolve();
    locks
      .request(name, () => {
        resolve();
        return new Promise<never>(() => undefined);
      })
      .catch(reject);
  });
}
