import { useEffect, useState } from 'preact/hooks';
import { RequestError } from '../api/request_error';
import { useLocale } from '../i18n/language_context';
import { keepPush, type PushState, readPushState, turnPushOff, turnPushOn } from '../push/push_device';
import { noticeTexts } from './notice_texts';
import { PushDevices } from './push_devices';

/** Turns push notifications on this device on and off. */
export function PushSetting() {
  const locale = useLocale();
  const texts = noticeTexts[locale].push;
  const [state, setState] = useState<PushState>();
  /** What the person has just chosen; the switch waits until it is done. */
  const [chosen, setChosen] = useState<'on' | 'off'>();
  const [problem, setProblem] = useState('');
  const showProblem = (error: unknown) => setProblem(error instanceof RequestError ? error.message : texts.failed);
  const follow = async (next: Promise<PushState>) => {
    setProblem('');
    try {
      setState(await next);
    } catch (error) {
      showProblem(error);
      setState('off');
    }
    setChosen(undefined);
  };
  useEffect(() => void follow(readPushState()), []);
  useEffect(() => void keepPush(locale), [locale]);
  const change = (choice: 'on' | 'off') => {
    setChosen(choice);
    void follow(choice === 'on' ? turnPushOn(locale) : turnPushOff());
  };
  return (
    <>
      <label class="settings-check">
        <input
          type="checkbox"
          checked={(chosen ?? state) === 'on'}
          disabled={chosen !== undefined || (state !== 'on' && state !== 'off')}
          data-testid="setting-push"
          data-state={state}
          aria-describedby="push-about"
          onChange={event => change(event.currentTarget.checked ? 'on' : 'off')}
        />
        {texts.title}
      </label>
      <p class="field-hint" id="push-about">
        {texts.about}
      </p>
      <p class="field-hint" role="status" data-testid="push-problem">
        {state === 'denied' || state === 'unsupported' ? texts[state] : problem}
      </p>
      <PushDevices state={state} onTurnOff={() => change('off')} onProblem={showProblem} />
    </>
  );
}
