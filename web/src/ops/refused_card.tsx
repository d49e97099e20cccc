import { useStore } from '../platform/store';
import { useOps } from './shared/ops_controller';
import { useOpsTexts } from './shared/ops_words';

/** Says that the key or the role of the person has no scope for these pages. */
export function RefusedCard() {
  const texts = useOpsTexts();
  const ops = useOps();
  const { keyName = '', keyId, person } = useStore(ops.store, state => state.me) ?? {};
  const isPerson = person !== undefined && keyId === undefined;
  const describe = () => {
    if (!person) return texts.refused(keyName);
    return isPerson ? texts.refusedRole(person.name, person.role) : texts.refusedKeyOf(person.name);
  };
  return (
    <section class="ops-screen" aria-labelledby="view-heading" data-testid="ops-refused">
      <h1 id="view-heading" class="view-heading" tabIndex={-1}>
        {texts.refusedTitle}
      </h1>
      <p>{describe()}</p>
      <button type="button" class="button primary" data-testid="other-key" onClick={() => ops.store.set({ isLoginNeeded: true })}>
        {isPerson ? texts.otherPerson : texts.otherKey}
      </button>
    </section>
  );
}
