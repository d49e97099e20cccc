import { useEffect, useState } from 'preact/hooks';
import { RequestError, refusalOf } from '../api/request_error';
import type { Shown } from '../api/send_login';
import type { LoginHost } from './login_host';
import type { loginTexts } from './login_texts';

export type LoginWords = (typeof loginTexts)['en'];

/** `wrong`: the sentence for what the gateway does not know. */
interface LoginTry {
  controller: LoginHost;
  texts: LoginWords;
  wrong: string;
  /** Called after a failure. */
  onFailure?: () => void;
}

/** Sends what a person shows, and keeps the reason of a failure. After too many attempts it counts the seconds until the next attempt. */
export function useLogin({ controller, texts, wrong, onFailure }: LoginTry) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<RequestError | string>();
  const [waitMs, setWaitMs] = useState(0);
  useEffect(() => {
    if (waitMs <= 0) return;
    const timer = setTimeout(() => setWaitMs(waitMs - 1_000), 1_000);
    return () => clearTimeout(timer);
  }, [waitMs]);
  /** `missing`: what the person has to fill in first. */
  const logIn = async (shown: Shown, missing?: string) => {
    if (isSending || waitMs > 0) return;
    if (missing !== undefined) return setFailure(missing);
    setSending(true);
    setFailure(undefined);
    try {
      await controller.login.logIn(shown);
    } catch (thrown) {
      const error = thrown instanceof RequestError ? thrown : new RequestError('internal', String(thrown), false);
      setFailure(error);
      setWaitMs(error.retryAfterMs ?? 0);
      setSending(false);
      onFailure?.();
    }
  };
  const isOver = failure instanceof RequestError && failure.code === 'rate_limited' && waitMs <= 0;
  const needsCode = failure instanceof RequestError && failure.details['needs'] === 'code';
  return { logIn, isSending, needsCode, problem: failure && !isOver ? describe(failure, { waitMs, texts, wrong }) : undefined };
}

interface Described {
  waitMs: number;
  texts: LoginWords;
  wrong: string;
}

function describe(failure: RequestError | string, { waitMs, texts, wrong }: Described): string {
  if (typeof failure === 'string') return failure;
  if (failure.isLost) return texts.unreachable;
  if (waitMs > 0) return texts.tooMany(Math.ceil(waitMs / 1_000));
  const isWrong = failure.code === 'unauthenticated' && failure.details['needs'] !== 'code';
  return isWrong ? wrong : refusalOf(failure) || texts.failed;
}
