/** Unsaved texts of forms. They are stored in sessionStorage: they survive a reload and leaving the view, and stay in their tab. */

/** Returns the unsaved text; undefined when there is none, or when `base`, the saved text that it changes, is another one by now. */
export function readFormDraft(key: string, base: string): string | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey(key)) ?? 'null') as { base?: unknown; text?: unknown } | null;
    return stored?.base === base && typeof stored.text === 'string' ? stored.text : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the text, or removes it when it is the saved one. */
export function writeFormDraft(key: string, base: string, text: string): void {
  try {
    if (text === base) sessionStorage.removeItem(storageKey(key));
    else sessionStorage.setItem(storageKey(key), JSON.stringify({ base, text }));
  } catch {
    // Storage is forbidden or full: the text lasts as long as the form.
  }
}

const storageKey = (key: string): string => `neta.form.${key}`;
