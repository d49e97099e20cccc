import { useState } from 'preact/hooks';
import { requestRest } from '../api/call_rest';
import { RequestError } from '../api/request_error';
import { useLocale } from '../i18n/language_context';
import { ROOT } from '../platform/root';
import { loginTexts } from './login_texts';

export interface Provider {
  id: string;
  name: string;
}

/** Goes to the page of a login provider. The browser comes back to this page. `invitation`: the token of the invitation that the person accepts. */
async function openProvider(id: string, invitation: string | undefined): Promise<void> {
  const body = { returnTo: location.pathname + location.search, invitation };
  const response = await requestRest('POST', `auth/${encodeURIComponent(id)}/start`, { body, base: ROOT });
  const { url } = (await response.json()) as { url: string };
  location.assign(url);
}

/** A button for each login provider. */
export function ProviderPart({ providers, invitation }: { providers: readonly Provider[]; invitation?: string }) {
  const texts = loginTexts[useLocale()];
  const [problem, setProblem] = useState<string>();
  const [opening, setOpening] = useState<string>();
  if (providers.length === 0) return null;
  const open = async (id: string) => {
    if (opening !== undefined) return;
    setOpening(id);
    setProblem(undefined);
    try {
      await openProvider(id, invitation);
    } catch (thrown) {
      setOpening(undefined);
      setProblem(thrown instanceof RequestError && !thrown.isLost ? thrown.message : texts.unreachable);
    }
  };
  return (
    <div class="login-providers">
      {providers.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          class="button"
          aria-disabled={opening !== undefined}
          data-testid={`provider-${id}`}
          onClick={() => void open(id)}
        >
          {texts.logInWith(name)}
        </button>
      ))}
      {problem !== undefined && (
        <p class="form-error" role="alert" data-testid="provider-problem">
          {problem}
        </p>
      )}
    </div>
  );
}
