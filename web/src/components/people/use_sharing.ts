import { useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import type { Visibility } from '../../api/rest_types';
import { useLocale } from '../../i18n/language_context';
import { sharingTexts } from './sharing_texts';

export interface SharingChange {
  visibility?: Visibility;
  sharedWith?: readonly string[];
}

/** `share` resolves with true when the change is made; otherwise `problem` says why not. */
export interface Sharing {
  isBusy: boolean;
  problem: string | undefined;
  share(change: SharingChange): Promise<boolean>;
}

/** Sends changes of who sees a thing. `onShare` rejects with a RequestError. */
export function useSharing(onShare: (change: SharingChange) => Promise<void>): Sharing {
  const texts = sharingTexts[useLocale()];
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const share = async (change: SharingChange) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onShare(change);
      return true;
    } catch (error) {
      setProblem(refusalOf(error) ?? texts.failed);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, share };
}
