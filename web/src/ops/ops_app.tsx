import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { SecondFactorPart } from '../auth/second_factor_part';
import { lazy } from '../components/basic/lazy';
import { NoticeToast } from '../components/basic/notice_toast';
import { ViewSpinner } from '../components/basic/view_spinner';
import { LanguageContext } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import { permissionsOf, ScopeContext } from '../state/scope_context';
import { OpsHeader } from './ops_header';
import { OpsNav } from './ops_nav';
import { OpsLink } from './parts/ops_link';
import { findScreen, SCREENS, type ScreenName } from './screens';
import { type OpsController, OpsProvider, useOps, usePlace } from './shared/ops_controller';
import type { OpsTexts } from './shared/ops_texts';
import { useOpsTexts } from './shared/ops_words';

interface OpsAppProps {
  controller: OpsController;
  preferences: Store<Preferences>;
}

export function OpsApp({ controller, preferences }: OpsAppProps) {
  const locale = useStore(preferences, state => state.locale);
  const me = useStore(controller.store, state => state.me);
  const permissions = useMemo(() => permissionsOf(me), [me]);
  const LoginPart = useStore(controller.store, state => (state.isLoginNeeded ? LoginCard : SecondFactorPart));
  return (
    <LanguageContext.Provider value={locale}>
      <ScopeContext.Provider value={permissions}>
        <OpsProvider value={controller}>
          <OpsPage preferences={preferences} />
          <NoticeToast controller={controller} />
          <LoginPart controller={controller} preferences={preferences} />
        </OpsProvider>
      </ScopeContext.Provider>
    </LanguageContext.Provider>
  );
}

const LoginCard = lazy(async () => (await import('../auth/login_card')).LoginCard);
const RefusedCard = lazy(async () => (await import('./refused_card')).RefusedCard);

function OpsPage({ preferences }: { preferences: Store<Preferences> }) {
  const texts = useOpsTexts();
  const ops = useOps();
  const isRefused = useStore(ops.store, ({ me }) => me !== undefined && !me.scopes.includes('ops:read'));
  // A card over the page asks for the second factor. The screens could read nothing before.
  const needsFactor = useStore(ops.store, ({ me }) => me?.person?.needs !== undefined);
  const isMenuOpen = useStore(ops.store, state => state.isMenuOpen);
  const live = useStore(ops.store, state => state.live);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !ops.store.get().isMenuOpen) return;
      ops.store.set({ isMenuOpen: false });
      document.querySelector<HTMLElement>('#ops-menu')?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [ops]);
  return (
    <>
      {/* A link would replace the number of an event in the address. */}
      <button type="button" class="skip-link" onClick={focusHeading}>
        {texts.skip}
      </button>
      <div class={isMenuOpen ? 'ops menu-open' : 'ops'}>
        <OpsHeader preferences={preferences} />
        <OpsNav />
        <main class="ops-main" data-live={live}>
          {!needsFactor && (isRefused ? <RefusedCard /> : <Screen />)}
        </main>
      </div>
    </>
  );
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('#view-heading')?.focus();
}

const COMPONENTS = new Map(SCREENS.map(({ name, load }) => [name, lazy(load, ViewSpinner)]));

/** Shows the screen that the address names, under its heading. The heading takes the focus when another screen opens. */
function Screen() {
  const texts = useOpsTexts();
  const { screen, item } = usePlace();
  const entry = findScreen(screen);
  const Content = entry && COMPONENTS.get(entry.name);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  const hasItem = item !== undefined;
  useLayoutEffect(() => {
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [screen, hasItem]);
  const title = titleOf(texts, entry?.name, item);
  useEffect(() => {
    document.title = `${title} · Neta`;
  }, [title]);
  return (
    <section class="ops-screen" aria-labelledby="view-heading" data-testid={`screen-${entry?.name ?? 'unknown'}`}>
      <h1 id="view-heading" class="view-heading" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {entry && !hasItem && <p class="view-about">{texts.about[entry.name]}</p>}
      {Content ? <Content key={entry?.name} /> : <OpsLink screen="">{texts.toOverview}</OpsLink>}
    </section>
  );
}

/** Number of characters of an id that tell it from others. */
const SHORT_ID = 8;

function titleOf(texts: OpsTexts, name: ScreenName | undefined, item: string | undefined): string {
  if (name === undefined) return texts.unknownPage;
  if (item === undefined || (name !== 'runs' && name !== 'config')) return texts.screens[name];
  return name === 'runs' ? texts.runTitle(item.slice(-SHORT_ID)) : item;
}
