import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/basic/copy_button';
import { Icon } from '../../components/basic/icon';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { ListState } from '../../ops/parts/list_state';
import { ScopeButton } from '../../ops/parts/scope_button';
import { SecretPanel } from '../../ops/parts/secret_panel';
import { usePlace } from '../../ops/shared/ops_controller';
import { type Hook, hookApi } from './hook_api';
import { HookCalls } from './hook_calls';
import { HookForm } from './hook_form';
import { HookTable } from './hook_table';
import { hookTexts } from './hook_texts';

/** The inbound webhooks: lists them, makes, pauses and deletes one, and shows the last requests to it. */
export function HookPart() {
  const texts = hookTexts[useLocale()];
  const list = usePagedList<Hook>('hooks', hookApi.list);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<{ name: string; url: string; secret: string }>();
  const opened = usePlace().query['hook'];
  const shown = list.rows.find(({ id }) => id === opened);
  return (
    <section aria-labelledby="hooks-heading">
      <h2 id="hooks-heading">{texts.hooks}</h2>
      <p>{texts.hooksNote}</p>
      {!isAdding && (
        <div class="toolbar">
          <ScopeButton scope="chat" testId="new-hook" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {texts.newHook}
          </ScopeButton>
        </div>
      )}
      {isAdding && (
        <HookForm
          onBack={() => setAdding(false)}
          onMade={({ secret, ...hook }) => {
            setAdding(false);
            if (secret !== undefined) setMade({ name: hook.name, url: hook.url, secret });
            list.change(rows => [...rows, hook]);
          }}
        />
      )}
      {made && (
        <SecretPanel name={made.name} secret={made.secret} onDone={() => setMade(undefined)}>
          <p class="secret">
            <code data-testid="hook-url">{made.url}</code>
            <CopyButton text={() => made.url} label={texts.copyUrl} />
          </p>
        </SecretPanel>
      )}
      <ListState list={list}>
        <HookTable list={list} />
      </ListState>
      {shown && <HookCalls hook={shown} />}
    </section>
  );
}
