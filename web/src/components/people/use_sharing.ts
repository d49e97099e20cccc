import type { Visibility } from '../../api/rest_types';
import { useRequest } from './use_request';

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
  const { isBusy, problem, attempt } = useRequest();
  return { isBusy, problem, share: change => attempt(() => onShare(change)) };
}
