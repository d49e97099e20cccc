import type { Login } from '../chat/login';
import type { Preferences } from '../platform/preferences';
import type { Store } from '../platform/store';
import type { AppState } from '../state/app_state';

/** The page on which a person logs in. */
export interface LoginHost {
  readonly store: Store<Pick<AppState, 'me'>>;
  readonly login: Pick<Login, 'logIn' | 'logOut'>;
}

/** What a card over the page needs. */
export interface LoginCardProps {
  controller: LoginHost;
  preferences: Store<Preferences>;
}
