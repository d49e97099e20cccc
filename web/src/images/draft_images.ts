/** Images that wait to be sent, per chat. They are kept in sessionStorage: they survive a reload and stay in their tab. */
import { nameHere } from '../platform/root';

export interface DraftImage {
  id: string;
  /** Name of the file; empty for a pasted image. */
  name: string;
  /** data: address. */
  src: string;
}

export interface DraftImages {
  /** Without a session id: the images of a new chat. */
  read(sessionId: string | undefined): readonly DraftImage[];
  write(sessionId: string | undefined, images: readonly DraftImage[]): void;
}

export function createDraftImages(): DraftImages {
  const known = new Map<string, readonly DraftImage[]>();
  return {
    read: sessionId => {
      const key = keyOf(sessionId);
      const images = known.get(key) ?? readStored(key);
      known.set(key, images);
      return images;
    },
    write: (sessionId, images) => {
      const key = keyOf(sessionId);
      known.set(key, images);
      try {
        if (images.length === 0) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(images));
      } catch {
        // Storage is forbidden or full: the images last as long as the page.
      }
    },
  };
}

const keyOf = (sessionId: string | undefined): string => nameHere(`neta.images.${sessionId ?? 'new'}`);

function readStored(key: string): readonly DraftImage[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isDraftImage) : [];
  } catch {
    return [];
  }
}

function isDraftImage(value: unknown): value is DraftImage {
  const { id, name, src } = (value ?? {}) as Partial<DraftImage>;
  return typeof id === 'string' && typeof name === 'string' && typeof src === 'string' && src.startsWith('data:image/');
}
