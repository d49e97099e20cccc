import { useStore } from '../platform/store';
import { useOps } from './shared/ops_controller';
import { useOpsTexts } from './shared/ops_words';

/** Says that the key of the person has no scope for these pages. */
export function RefusedCard() {
  const texts = useOpsTexts();
  const ops = useOps();
  const keyName = useStore(ops.store, state => state.me?.keyName ?? '');
  return (
    <section class="ops-screen" aria-labelledby="view-heading" data-testid="ops-refused">
      <h1 id="view-heading" class="view-heading" tabIndex={-1}>
        {texts.refusedTitle}
      </h1>
      <p>{texts.refused(keyName)}</p>
      <button type="button" class="button primary" data-testid="other-key" onClick={() => ops.store.set({ isLoginNeeded: true })}>
        {texts.otherKey}
      </button>
    </section>
  );
}
