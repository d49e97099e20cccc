import { useEffect, useState } from 'preact/hooks';
import { RequestError, refusalOf } from '../api/request_error';
import type { Shown } from '../api/send_login';
import type { LoginHost } from './login_host';
import type { loginTexts } from './login_texts';

export type LoginWords = (typeof loginTexts)['en'];

/** The person waits up to this many seconds in seconds, and in minutes beyond. */
const LONGEST_IN_SECONDS = 120;

/** `account`: the e-mail or the key in the form. `wrong`: the sentence for what the gateway does not know. */
interface LoginTry {
  controller: LoginHost;
  texts: LoginWords;
  account: string;
  wrong: string;
  /** Called after a failure. */
  onFailure?: () => void;
}

/** A failure of this account. `problem`: the page knows it without asking the gateway. */
type Failure = { account: string; error: RequestError } | { problem: string };

/**
 * Sends what a person shows, and keeps the reason of a failure. After too many attempts `wait` says how long this account has to wait; another account
 * can be tried at once.
 */
export function useLogin({ controller, texts, account, wrong, onFailure }: LoginTry) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { waitMs, setWait } = useWait();
  const error = failure && 'error' in failure ? failure.error : undefined;
  const isWaiting = waitMs > 0 && failure !== undefined && 'error' in failure && failure.account === nameOf(account);
  /** `missing`: what the person has to fill in first. */
  const logIn = async (shown: Shown, missing?: string) => {
    if (isSending || isWaiting) return;
    if (missing !== undefined) return setFailure({ problem: missing });
    setSending(true);
    setFailure(undefined);
    try {
      await controller.login.logIn(shown);
    } catch (thrown) {
      const error = thrown instanceof RequestError ? thrown : new RequestError('internal', String(thrown), false);
      setFailure({ account: nameOf(account), error });
      setWait(error.retryAfterMs ?? 0);
      setSending(false);
      onFailure?.();
    }
  };
  // The sentence about too many attempts is true as long as the wait.
  const isOver = error?.retryAfterMs !== undefined && !isWaiting;
  const problem = failure && 'problem' in failure ? failure.problem : error && !isOver ? describe(error, texts, wrong) : undefined;
  const wait = isWaiting ? describeWait(Math.ceil(waitMs / 1_000), texts) : undefined;
  return { logIn, isSending, needsCode: error?.details['needs'] === 'code', problem, wait };
}

/** Counts down to a time, also in a tab whose timers the browser slows down. */
function useWait() {
  const [endsAt, setEndsAt] = useState(0);
  const [waitMs, setWaitMs] = useState(0);
  useEffect(() => {
    if (waitMs <= 0) return;
    const timer = setTimeout(() => setWaitMs(endsAt - Date.now()), 1_000);
    return () => clearTimeout(timer);
  }, [waitMs, endsAt]);
  const setWait = (ms: number) => {
    setEndsAt(Date.now() + ms);
    setWaitMs(ms);
  };
  return { waitMs, setWait };
}

const nameOf = (account: string): string => account.trim().toLowerCase();

function describeWait(seconds: number, texts: LoginWords): string {
  return seconds > LONGEST_IN_SECONDS ? texts.waitMinutes(Math.ceil(seconds / 60)) : texts.waitSeconds(seconds);
}

function describe(error: RequestError, texts: LoginWords, wrong: string): string {
  if (error.isLost) return texts.unreachable;
  if (error.code === 'rate_limited') return refusalOf(error) || texts.tooMany;
  const isWrong = error.code === 'unauthenticated' && error.details['needs'] !== 'code';
  return isWrong ? wrong : refusalOf(error) || texts.failed;
}
