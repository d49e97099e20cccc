import { Icon } from '../components/basic/icon';
import { lazy } from '../components/basic/lazy';
import { Logo } from '../components/basic/logo';
import { PreferenceControls } from '../components/basic/preference_controls';
import type { Preferences } from '../platform/preferences';
import { ROOT } from '../platform/root';
import { type Store, useStore } from '../platform/store';
import { useOps } from './shared/ops_controller';
import { useOpsTexts } from './shared/ops_words';

export function OpsHeader({ preferences }: { preferences: Store<Preferences> }) {
  const texts = useOpsTexts();
  const ops = useOps();
  const isMenuOpen = useStore(ops.store, state => state.isMenuOpen);
  const hasLogin = useStore(ops.store, state => state.me?.loginRequired === true);
  return (
    <header class="ops-header">
      <button
        id="ops-menu"
        type="button"
        class="icon-button ops-menu"
        aria-label={texts.menu}
        aria-expanded={isMenuOpen}
        aria-controls="ops-nav"
        data-testid="ops-menu"
        onClick={() => ops.store.set({ isMenuOpen: !isMenuOpen })}
      >
        <Icon name={isMenuOpen ? 'close' : 'menu'} />
      </button>
      <a class="ops-brand" href={ROOT} title={texts.toChat} aria-label={texts.toChat} data-testid="to-chat">
        <Logo />
      </a>
      <span class="ops-title">{texts.title}</span>
      <LiveState />
      <PreferenceControls preferences={preferences} />
      {hasLogin && <AccountPart controller={ops} />}
    </header>
  );
}

const AccountPart = lazy(async () => (await import('../auth/account_part')).AccountPart);

/** Says whether the figures are live. */
function LiveState() {
  const texts = useOpsTexts();
  const status = useStore(useOps().store, state => state.live);
  return (
    <span class="live-state" role="status" data-testid="live-state" data-status={status}>
      {status !== 'still' && (
        <>
          <span class="live-dot" aria-hidden="true" />
          {texts.live[status]}
        </>
      )}
    </span>
  );
}
