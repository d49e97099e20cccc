import { useMessages } from '../../i18n/language_context';
import { toPlainText } from '../../markdown/plain_text';
import { type Store, useStore } from '../../platform/store';
import type { AppState } from '../../state/app_state';
import type { SessionView } from '../../state/view_types';

/** Characters of an answer that are announced; the conversation holds the whole text. */
const MAX_SPOKEN = 400;

/** Announces finished answers and open questions to screen readers. They would read growing text in fragments. */
export function Announcer({ store }: { store: Store<AppState> }) {
  const messages = useMessages();
  const question = useStore(store, state => findLastSettled(state.view, 'question'));
  const answer = useStore(store, state => findLastSettled(state.view, 'answer'));
  return (
    <>
      <div class="visually-hidden" aria-live="polite" data-testid="announcer">
        {answer}
      </div>
      <div class="visually-hidden" aria-live="assertive">
        {question && `${messages.questionNeedsYou}: ${question}`}
      </div>
    </>
  );
}

function findLastSettled(view: SessionView, what: 'question' | 'answer'): string {
  const items = view.turns.at(-1)?.items ?? [];
  if (what === 'question') {
    const item = items.findLast(one => (one.kind === 'clarify' || one.kind === 'approval') && one.status === 'pending');
    return item?.kind === 'clarify' ? toPlainText(item.question) : item?.kind === 'approval' ? item.reason : '';
  }
  const item = items.findLast(candidate => candidate.kind === 'text' && candidate.done);
  return item?.kind === 'text' ? toPlainText(item.text.slice(0, MAX_SPOKEN)) : '';
}
