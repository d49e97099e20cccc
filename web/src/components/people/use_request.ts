import { useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useLocale } from '../../i18n/language_context';
import { sharingTexts } from './sharing_texts';

export interface OneRequest {
  /** True while a request is under way. */
  isBusy: boolean;
  /** Why the last request failed. */
  problem: string | undefined;
  /** Resolves with true when `work` has resolved; otherwise `problem` says why not. */
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}

/** Says whether a request is under way, and why the last one failed. */
export function useRequest(): OneRequest {
  const texts = sharingTexts[useLocale()];
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(refusalOf(error) ?? texts.failed);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, attempt };
}
