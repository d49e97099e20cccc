import type { ComponentChildren } from 'preact';
import { useMessages } from '../../i18n/language_context';
import { ListNotice } from '../../views/list_notice';
import { MoreButton } from '../../views/more_button';
import type { PagedList } from '../../views/use_paged_list';
import { useOps } from '../ops_controller';
import { useOpsTexts } from '../ops_words';

/** Shows a paged list once it is read, why it is not there, and the button for more. `children` say when it is empty. */
export function ListState<T>({ list, children }: { list: PagedList<T>; children: ComponentChildren }) {
  const texts = useOpsTexts();
  const messages = useMessages();
  const ops = useOps();
  if (list.status === 'failed' || (list.status === 'loading' && list.rows.length === 0)) return <ListNotice list={list} empty="" />;
  return (
    <div aria-busy={list.status === 'loading'}>
      {children}
      <MoreButton list={list} text={texts.more} onFailure={() => ops.notify(messages.notRead)} />
    </div>
  );
}
