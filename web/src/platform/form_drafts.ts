/** Unsaved texts of forms. They are stored in sessionStorage: they survive a reload and leaving the view, and stay in their tab. */
import { nameHere } from './root';

/** Returns the unsaved text; undefined when there is none, or when the saved text is no longer `base`, the text that it changes. */
export function readFormDraft(key: string, base: string): string | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey(key)) ?? 'null') as { base?: unknown; text?: unknown } | null;
    return stored?.base === base && typeof stored.text === 'string' ? stored.text : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the unsaved text; removes it when it equals the saved text. */
export function writeFormDraft(key: string, base: string, text: string): void {
  try {
    if (text === base) sessionStorage.removeItem(storageKey(key));
    else sessionStorage.setItem(storageKey(key), JSON.stringify({ base, text }));
  } catch {
    // Storage is forbidden or full: the text lasts as long as the form.
  }
}

const storageKey = (key: string): string => nameHere(`neta.form.${key}`);
