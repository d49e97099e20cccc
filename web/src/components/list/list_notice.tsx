import type { ComponentChildren } from 'preact';
import { useMessages } from '../../i18n/language_context';
import { ViewSpinner } from '../basic/view_spinner';
import type { PagedList } from './use_paged_list';

interface ListNoticeProps<T> {
  list: PagedList<T>;
  /** Text of an empty list. */
  empty: ComponentChildren;
}

/** Shows why a list has no rows: it loads, it is empty, or it could not be read. */
export function ListNotice<T>({ list: { status, rows, refusal, reload }, empty }: ListNoticeProps<T>) {
  const messages = useMessages();
  if (status === 'loading') return rows.length === 0 ? <ViewSpinner /> : null;
  if (status === 'ready') return rows.length === 0 ? <p class="view-empty">{empty}</p> : null;
  return (
    <div class="view-notice" role="alert" data-testid="view-notice">
      <p>{refusal ?? messages.notRead}</p>
      {refusal === undefined && (
        <button type="button" class="button" onClick={reload}>
          {messages.tryAgain}
        </button>
      )}
    </div>
  );
}
