import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useOps, usePlace } from '../shared/ops_controller';
import { savedTexts } from './saved_texts';
import { isSameQuery, keepViews, readViews, type SavedView } from './view_store';

const MAX_NAME = 60;

/** Keeps the filters and the order of the list under a name: in this browser, for the person who is logged in. */
export function SavedViews() {
  const texts = savedTexts[useLocale()];
  const ops = useOps();
  const { screen, query } = usePlace();
  const me = useStore(ops.store, state => state.me);
  const place = [me?.tenant, me?.keyName, screen].join(' ');
  const [views, setViews] = useState<readonly SavedView[]>([]);
  const [isNaming, setNaming] = useState(false);
  useEffect(() => setViews(readViews(place)), [place]);
  const keep = (next: readonly SavedView[]) => {
    keepViews(place, next);
    setViews(next);
  };
  const shown = views.find(view => isSameQuery(view.query, query));
  const open = (view: SavedView | undefined) =>
    ops.setQuery({ ...Object.fromEntries(Object.keys(query).map(name => [name, ''])), ...view?.query });
  const isFiltered = Object.values(query).some(Boolean);
  return (
    <span class="filter">
      {views.length > 0 && <ViewSelect views={views} shown={shown} onOpen={open} />}
      {shown && (
        <button
          type="button"
          class="icon-button small"
          aria-label={texts.remove(shown.name)}
          title={texts.remove(shown.name)}
          data-testid="remove-view"
          onClick={() => keep(views.filter(view => view !== shown))}
        >
          <Icon name="trash" />
        </button>
      )}
      {isFiltered && !shown && !isNaming && (
        <button type="button" class="link-button" data-testid="save-view" onClick={() => setNaming(true)}>
          {texts.save}
        </button>
      )}
      {isNaming && (
        <NameForm
          onName={name => {
            setNaming(false);
            if (name !== undefined) keep([...views.filter(view => view.name !== name), { name, query }]);
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
