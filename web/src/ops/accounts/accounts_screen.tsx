import { useLocale } from '../../i18n/language_context';
import { LoadNotice } from '../parts/load_notice';
import { useResource } from '../parts/use_resource';
import { usePlace } from '../shared/ops_controller';
import { accountApi } from './account_api';
import { AccountList } from './account_list';
import { AccountPage } from './account_page';
import { accountTexts } from './account_texts';

/** People with accounts: a list, and a page for each person. */
export function AccountsScreen() {
  const texts = accountTexts[useLocale()];
  const { item } = usePlace();
  const read = useResource('accounts', async () => {
    const [people, roles] = await Promise.all([accountApi.list(), accountApi.roles()]);
    return { people, roles };
  });
  const { data } = read;
  const person = data?.people.find(({ id }) => id === item);
  return (
    <>
      <LoadNotice of={read} />
      {data && item === undefined && <AccountList {...data} />}
      {data && item !== undefined && !person && <p class="view-empty">{texts.noPerson}</p>}
      {data && person && (
        <AccountPage
          key={person.id}
          person={person}
          roles={data.roles}
          onChanged={changed => read.change(all => ({ ...all, people: all.people.map(each => (each.id === changed.id ? changed : each)) }))}
          onRemoved={id => read.change(all => ({ ...all, people: all.people.filter(each => each.id !== id) }))}
        />
      )}
    </>
  );
}
