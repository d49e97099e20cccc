import { useState } from 'preact/hooks';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { useOps, usePlace } from '../shared/ops_controller';
import { savedTexts } from './saved_texts';
import { useAction } from './use_action';
import { useResource } from './use_resource';
import { deleteView, isSameQuery, listViews, type SavedView, saveView } from './view_store';

const MAX_NAME = 60;

/** Saves what the address says of the list under a name, for all operators of the tenant: filters, order, columns and span. */
export function SavedViews() {
  const texts = savedTexts[useLocale()];
  const ops = useOps();
  const { screen, query } = usePlace();
  const mayWrite = useScope('ops:write');
  const views = useResource(screen, () => listViews(screen));
  const { isBusy, run } = useAction();
  const [isNaming, setNaming] = useState(false);
  const saved = views.data ?? [];
  const shown = saved.find(view => isSameQuery(view.query, query));
  const open = (view: SavedView | undefined) =>
    ops.setQuery({ ...Object.fromEntries(Object.keys(query).map(name => [name, ''])), ...view?.query });
  const keep = async (name: string) => {
    const view = await saveView(screen, name, query);
    views.change(before => [...before.filter(each => each.name !== name), view]);
  };
  const remove = async (view: SavedView) => {
    await deleteView(view);
    views.change(before => before.filter(each => each.name !== view.name));
  };
  const isFiltered = Object.values(query).some(Boolean);
  return (
    <span class="filter">
      {saved.length > 0 && <ViewSelect views={saved} shown={shown} onOpen={open} />}
      {shown && mayWrite && (
        <button
          type="button"
          class="icon-button small"
          aria-label={texts.remove(shown.name)}
          title={texts.remove(shown.name)}
          aria-disabled={isBusy}
          data-testid="remove-view"
          onClick={() => run(() => remove(shown))}
        >
          <Icon name="trash" />
        </button>
      )}
      {isFiltered && !shown && !isNaming && mayWrite && (
        <button type="button" class="link-button" data-testid="save-view" onClick={() => setNaming(true)}>
          {texts.save}
        </button>
      )}
      {isNaming && (
        <NameForm
          onName={name => {
            setNaming(false);
            if (name !== undefined) run(() => keep(name));
          }}
        />
      )}
    </span>
  );
}

interface ViewSelectProps {
  views: readonly SavedView[];
  shown: SavedView | undefined;
  onOpen: (view: SavedView | undefined) => void;
}

function ViewSelect({ views, shown, onOpen }: ViewSelectProps) {
  const texts = savedTexts[useLocale()];
  return (
    <select
      aria-label={texts.views}
      value={shown?.name ?? ''}
      data-testid="saved-view"
      onChange={event => onOpen(views.find(view => view.name === event.currentTarget.value))}
    >
      <option value="">{texts.none}</option>
      {views.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** `onName`: gets undefined when the person does not save. */
function NameForm({ onName }: { onName: (name: string | undefined) => void }) {
  const texts = savedTexts[useLocale()];
  const [name, setName] = useState('');
  return (
    <form
      class="filter"
      onSubmit={event => {
        event.preventDefault();
        if (name.trim() !== '') onName(name.trim());
      }}
    >
      <input
        aria-label={texts.name}
        placeholder={texts.name}
        maxLength={MAX_NAME}
        value={name}
        data-testid="view-name"
        ref={field => field?.focus()}
        onInput={event => setName(event.currentTarget.value)}
      />
      <button type="submit" class="link-button">
        {texts.keep}
      </button>
      <button type="button" class="link-button" onClick={() => onName(undefined)}>
        {texts.cancel}
      </button>
    </form>
  );
}
