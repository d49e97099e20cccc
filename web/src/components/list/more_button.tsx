import type { PagedList } from './use_paged_list';

interface MoreButtonProps<T> {
  list: PagedList<T>;
  text: string;
  onFailure: () => void;
}

/** Loads the next page of a list that has one. */
export function MoreButton<T>({ list, text, onFailure }: MoreButtonProps<T>) {
  if (!list.hasMore) return null;
  return (
    <button type="button" class="button more-button" data-testid="more" onClick={() => list.loadMore().catch(onFailure)}>
      {text}
    </button>
  );
}
