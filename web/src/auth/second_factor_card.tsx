import { useId, useState } from 'preact/hooks';
import { refusalOf } from '../api/request_error';
import { useLocale } from '../i18n/language_context';
import { useStore } from '../platform/store';
import type { LoginCardProps } from './login_host';
import { LoginScreen } from './login_screen';
import { loginTexts } from './login_texts';
import { AddTotp, RecoveryCodes } from './totp_part';

interface SecondFactorCardProps extends LoginCardProps {
  /** Those of the app that the person has just added. */
  recoveryCodes: readonly string[] | undefined;
  onAdded: (recoveryCodes: readonly string[]) => void;
}

/** Lets a person whose role needs a second factor add an authenticator app. The page starts again once the person has kept the recovery codes. */
export function SecondFactorCard({ controller, preferences, recoveryCodes, onAdded }: SecondFactorCardProps) {
  const texts = loginTexts[useLocale()];
  const role = useStore(controller.store, ({ me }) => me?.person?.role ?? '');
  const titleId = useId();
  const [problem, setProblem] = useState('');
  const act = async (work: () => Promise<unknown>) => {
    setProblem('');
    try {
      await work();
    } catch (thrown) {
      setProblem(refusalOf(thrown) ?? texts.unreachable);
    }
  };
  return (
    <LoginScreen preferences={preferences} titleId={titleId} testId="second-factor-card">
      <h2 id={titleId}>{recoveryCodes ? texts.appAdded : texts.needsApp}</h2>
      {!recoveryCodes && <p>{texts.needsAppAbout(role)}</p>}
      <div class="own-logins">
        {recoveryCodes ? <RecoveryCodes codes={recoveryCodes} /> : <AddTotp act={act} onAdded={onAdded} isFirst />}
        <p class="form-error" role="alert" data-testid="second-factor-problem">
          {problem}
        </p>
        {recoveryCodes ? (
          <button type="button" class="button primary" data-testid="go-on" onClick={() => location.reload()}>
            {texts.goOn}
          </button>
        ) : (
          <button type="button" class="button" data-testid="leave" onClick={() => void act(() => controller.login.logOut(false))}>
            {texts.logOut}
          </button>
        )}
      </div>
    </LoginScreen>
  );
}
