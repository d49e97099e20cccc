import type { ComponentChildren } from 'preact';
import { ListNotice } from '../../components/list/list_notice';
import { MoreButton } from '../../components/list/more_button';
import type { PagedList } from '../../components/list/use_paged_list';
import { useMessages } from '../../i18n/language_context';
import { useOps } from '../shared/ops_controller';
import { useOpsTexts } from '../shared/ops_words';

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
