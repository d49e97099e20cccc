import { useStore } from '../platform/store';
import { OpsIcon } from './ops_icon';
import { OpsLink } from './parts/ops_link';
import { SCREENS } from './screens';
import { useOps, usePlace } from './shared/ops_controller';
import { useOpsTexts } from './shared/ops_words';

/** The links to all screens. On a phone the menu button shows and hides them. */
export function OpsNav() {
  const texts = useOpsTexts();
  const { screen } = usePlace();
  const isMenuOpen = useStore(useOps().store, state => state.isMenuOpen);
  return (
    <nav id="ops-nav" class={isMenuOpen ? 'ops-nav open' : 'ops-nav'} aria-label={texts.nav}>
      <ul>
        {SCREENS.map(({ name, path }) => (
          <li key={name}>
            <OpsLink screen={path} class="view-link" isCurrent={path === screen} testId={`go-${name}`}>
              <OpsIcon name={name} />
              {texts.screens[name]}
            </OpsLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
