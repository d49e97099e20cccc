import { useEffect, useState } from 'preact/hooks';
import { SECOND_FACTOR_NEEDED } from '../api/call_rest';
import { lazy } from '../components/basic/lazy';
import { useStore } from '../platform/store';
import type { LoginCardProps } from './login_host';

const SecondFactorCard = lazy(async () => (await import('./second_factor_card')).SecondFactorCard);

/** Asks a person for an authenticator app when the gateway wants one. The card stays until the person has seen the recovery codes. */
export function SecondFactorPart({ controller, preferences }: LoginCardProps) {
  const isNeeded = useStore(controller.store, ({ me }) => me?.person?.needs === 'authenticator');
  const [isRefused, setRefused] = useState(false);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  useEffect(() => {
    const onRefusal = () => setRefused(true);
    addEventListener(SECOND_FACTOR_NEEDED, onRefusal);
    return () => removeEventListener(SECOND_FACTOR_NEEDED, onRefusal);
  }, []);
  if (!isNeeded && !isRefused && !recoveryCodes) return null;
  return <SecondFactorCard controller={controller} preferences={preferences} recoveryCodes={recoveryCodes} onAdded={setRecoveryCodes} />;
}
