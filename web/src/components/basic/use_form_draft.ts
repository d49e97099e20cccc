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
  // The saved text can change while the form is open, for example with the language. The draft belongs to the text with which the form began.
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
