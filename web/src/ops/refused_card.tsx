import { useStore } from '../platform/store';
import { useOps } from './shared/ops_controller';
import { useOpsTexts } from './shared/ops_words';

/** Says that the key or the role of the person has no scope for these pages. */
export function RefusedCard() {
  const texts = useOpsTexts();
  const ops = useOps();
  const keyName = useStore(ops.store, state => state.me?.keyName ?? '');
  const person = useStore(ops.store, state => state.me?.person);
  return (
    <section class="ops-screen" aria-labelledby="view-heading" data-testid="ops-refused">
      <h1 id="view-heading" class="view-heading" tabIndex={-1}>
        {texts.refusedTitle}
      </h1>
      <p>{person ? texts.refusedRole(person.name, person.role) : texts.refused(keyName)}</p>
      <button type="button" class="button primary" data-testid="other-key" onClick={() => ops.store.set({ isLoginNeeded: true })}>
        {person ? texts.otherPerson : texts.otherKey}
      </button>
    </section>
  );
}
