import { useState } from 'preact/hooks';
import { readFormDraft, writeFormDraft } from '../../platform/form_drafts';

export interface FormDraft {
  text: string;
  isChanged: boolean;
  setText(text: string): void;
  /** Removes the unsaved text, after it was saved or discarded. */
  clear(): void;
}

/** Keeps the text of a form while the person is elsewhere on the page. `key` names the form, `saved` is its text without changes. */
export function useFormDraft(key: string, saved: string): FormDraft {
  // The saved text can change while the form is open, such as with the language; the draft belongs to the one that it began with.
  const [base] = useState(saved);
  const [text, setText] = useState(() => readFormDraft(key, base) ?? base);
  return {
    text,
    isChanged: text !== base,
    setText: next => {
      writeFormDraft(key, base, next);
      setText(next);
    },
    clear: () => writeFormDraft(key, base, base),
  };
}
