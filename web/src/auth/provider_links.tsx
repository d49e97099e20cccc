import { callRest } from '../api/call_rest';
import { RelativeTime } from '../components/basic/relative_time';
import { useLocale } from '../i18n/language_context';
import { loginTexts } from './login_texts';

/** A login provider of the tenant. */
export interface OwnProvider {
  id: string;
  name: string;
  /** Absent: the person has linked no account there. */
  linkedAt?: string;
}

interface ProviderLinksProps {
  providers: readonly OwnProvider[];
  /** Does the work, shows why it failed, and reads everything again. */
  act(work: () => Promise<unknown>): Promise<void>;
}

/** The accounts at login providers that open this account, too. */
export function ProviderLinks({ providers, act }: ProviderLinksProps) {
  const texts = loginTexts[useLocale()];
  const pathOf = (id: string) => `/me/providers/${encodeURIComponent(id)}`;
  /** The browser goes to the provider and comes back to this page. */
  const link = async (id: string) => {
    const body = { returnTo: location.pathname + location.search };
    location.assign((await callRest<{ url: string }>('POST', `${pathOf(id)}/link`, body)).url);
  };
  return (
    <ul>
      {providers.map(({ id, name, linkedAt }) => (
        <li key={id} data-testid={`own-provider-${id}`} data-linked={linkedAt !== undefined}>
          {linkedAt !== undefined && (
            <span>
              {texts.linkedWith(name)} · <RelativeTime iso={linkedAt} />
            </span>
          )}
          {linkedAt === undefined ? (
            <button type="button" class="button" data-testid={`link-${id}`} onClick={() => void act(() => link(id))}>
              {texts.linkWith(name)}
            </button>
          ) : (
            <button
              type="button"
              class="button"
              aria-label={`${texts.remove}: ${name}`}
              data-testid={`unlink-${id}`}
              onClick={() => void act(() => callRest('DELETE', pathOf(id)))}
            >
              {texts.remove}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
