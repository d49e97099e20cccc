import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { CopyButton } from '../../components/basic/copy_button';
import { focusViewHeading } from '../../components/basic/use_return_focus';
import type { PagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { ScopeButton } from '../../ops/parts/scope_button';
import { StatusTag } from '../../ops/parts/status_tag';
import { useAction } from '../../ops/parts/use_action';
import { useOps, usePlace } from '../../ops/shared/ops_controller';
import { type Hook, hookApi } from './hook_api';
import { hookTexts } from './hook_texts';

export function HookTable({ list }: { list: PagedList<Hook> }) {
  const texts = hookTexts[useLocale()];
  const [removing, setRemoving] = useState<Hook>();
  const { run } = useAction();
  const columns: Column<Hook>[] = [
    { key: 'name', head: texts.name, isName: true, cell: ({ name }) => name },
    { key: 'agent', head: texts.agent, cell: ({ agent }) => agent },
    { key: 'url', head: texts.url, cell: hook => <HookUrl hook={hook} /> },
    {
      key: 'state',
      head: texts.state,
      cell: ({ enabled }) => <StatusTag tone={enabled ? 'good' : 'warn'}>{enabled ? texts.on : texts.paused}</StatusTag>,
    },
    { key: 'actions', head: '', cell: hook => <HookActions hook={hook} list={list} onRemove={() => setRemoving(hook)} /> },
  ];
  return (
    <>
      <DataTable label={texts.hooks} columns={columns} rows={list.rows} keyOf={({ id }) => id} empty={texts.noHooks} testId="hooks" />
      {removing && (
        <ConfirmDialog
          title={texts.removeQuestion}
          text={texts.removeText(removing.name)}
          action={texts.removeHook}
          onConfirm={() => {
            setRemoving(undefined);
            run(async () => {
              await hookApi.remove(removing.id);
              list.change(rows => rows.filter(({ id }) => id !== removing.id));
              focusViewHeading();
            }, texts.removed);
          }}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function HookUrl({ hook: { url, name } }: { hook: Hook }) {
  const texts = hookTexts[useLocale()];
  return (
    <span class="cell-actions">
      <code>{new URL(url).pathname}</code>
      <CopyButton text={() => url} label={`${texts.copyUrl}: ${name}`} />
    </span>
  );
}

function HookActions({ hook, list, onRemove }: { hook: Hook; list: PagedList<Hook>; onRemove: () => void }) {
  const texts = hookTexts[useLocale()];
  const ops = useOps();
  const { query } = usePlace();
  const { isBusy, run } = useAction();
  const { id, name, enabled } = hook;
  const toggle = () =>
    run(
      async () => {
        const changed = await hookApi.setEnabled(id, !enabled);
        list.change(rows => rows.map(row => (row.id === id ? changed : row)));
      },
      enabled ? texts.isPaused : texts.isResumed,
    );
  const action = enabled ? texts.pause : texts.resume;
  return (
    <span class="cell-actions">
      <button
        type="button"
        class="button"
        aria-expanded={query['hook'] === id}
        aria-label={texts.callsOf(name)}
        data-testid="calls-toggle"
        onClick={() => ops.setQuery({ hook: query['hook'] === id ? '' : id })}
      >
        {texts.calls}
      </button>
      <ScopeButton scope="chat" isBusy={isBusy} label={`${action}: ${name}`} testId="pause-hook" onClick={toggle}>
        {action}
      </ScopeButton>
      <ScopeButton scope="chat" isBusy={isBusy} label={`${texts.removeHook}: ${name}`} testId="delete-hook" onClick={onRemove}>
        {texts.removeHook}
      </ScopeButton>
    </span>
  );
}
