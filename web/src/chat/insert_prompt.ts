/** Puts texts into the message field: prompts of the library, and messages that the app of a tool proposes. */
import { fillVariables } from '../../../src/utils/prompt_variables';
import type { Prompt } from '../api/prompt_api';
import { typeInto } from '../platform/drafts';
import { findOpenQuestion } from '../state/view_types';
import type { ChatController } from './chat_controller';
import { findCommand } from './command_text';

/** Inserts a prompt without variables; for one with variables, opens the form that asks for them. */
export function choosePrompt(controller: ChatController, prompt: Prompt): void {
  if (prompt.variables.length === 0) insertPrompt(controller, prompt, {});
  else controller.store.set({ openPrompt: prompt });
}

/** Inserts the text with these values. It takes the place of a command, and stands behind any other text of the field. */
export function insertPrompt(
  { store, setDraft, openView }: ChatController,
  { text }: Prompt,
  values: Readonly<Record<string, string>>,
): void {
  const { draft, view, openView: isBehindView } = store.get();
  const before = findCommand(draft.text) === undefined ? draft.text.trimEnd() : '';
  const filled = [before, fillVariables(text, values)].filter(Boolean).join('\n\n');
  if (isBehindView) openView(undefined);
  setDraft(typeInto(draft, filled, findOpenQuestion(view)?.requestId));
  // The field has the new text after the next paint, and a dialog has closed by then.
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#composer');
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(filled.length, filled.length);
  });
}

/** Puts a text into the message field, where the person sends it or not. Returns false when the field has a text: nobody may write into it then. */
export function proposeMessage({ store, setDraft }: ChatController, text: string): boolean {
  const { draft, view } = store.get();
  if (draft.text.trim() !== '') return false;
  setDraft(typeInto(draft, text, findOpenQuestion(view)?.requestId));
  return true;
}
