import type { ComponentChildren } from 'preact';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { ListNotice } from './list_notice';
import { MoreButton } from './more_button';
import type { PagedList } from './use_paged_list';

interface PagedRowsProps<T> {
  list: PagedList<T>;
  /** Name of the list. */
  label: string;
  testId: string;
  /** Text of an empty list. */
  empty: ComponentChildren;
  /** Text of the button for the next page. */
  more: string;
  controller: ChatController;
  renderRow: (row: T) => ComponentChildren;
}

/** Shows the rows of a list, why there are none, and the button for more. */
export function PagedRows<T>({ list, label, testId, empty, more, controller, renderRow }: PagedRowsProps<T>) {
  const messages = useMessages();
  return (
    <>
      <ListNotice list={list} empty={empty} />
      <ul class="view-rows" aria-label={label} aria-busy={list.status === 'loading'} data-testid={testId}>
        {list.rows.map(renderRow)}
      </ul>
      <MoreButton list={list} text={more} onFailure={() => controller.notify(messages.requestFailed)} />
    </>
  );
}
