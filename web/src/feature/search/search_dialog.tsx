import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { choosePrompt } from '../../chat/insert_prompt';
import { type Action, actionsByName, useActions } from '../../commands/actions';
import { Icon } from '../../components/basic/icon';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { Preferences } from '../../platform/preferences';
import { type Store, useStore } from '../../platform/store';
import { hitWords } from './mark_hits';
import { orderHits } from './order_hits';
import { searchClient } from './search_client';
import { SearchFilters } from './search_filters';
import { createSearchRequests, type SearchFilter, type SearchRequests, type SearchState } from './search_requests';
import { optionId, type RowGroup, SearchHints, SearchResults, type SearchRow } from './search_results';
import { searchTexts } from './search_texts';
import './search.css';

/** Number of chats that the dialog offers before the first letter. */
const RECENT_CHATS = 8;

interface SearchDialogProps {
  controller: ChatController;
  preferences: Store<Preferences>;
}

/** Finds chats by title, messages by text, and actions by name. Escape closes it; the focus returns to where it was. */
export function SearchDialog({ controller, preferences }: SearchDialogProps) {
  const texts = searchTexts[useLocale()];
  const { requests, state, text, type } = useSearch();
  const [filter, setFilter] = useState<SearchFilter>();
  const actions = actionsByName(useActions(controller, preferences), text);
  const groups = useGroups(controller, { state, text, actions });
  const rows = groups.flatMap(group => group.rows);
  const { activeKey, setActiveKey, move } = useChoice(rows);
  const dialog = useModal();
  const listId = useId();
  const close = () => controller.setSearchOpen(false);
  /** Without a filter, the fields are closed. */
  const narrow = (next: SearchFilter | undefined) => {
    setFilter(next);
    requests.narrow(next ?? {});
  };
  const open = (row: SearchRow | undefined) => {
    if (!row) return;
    close();
    controller.setDrawerOpen(false);
    if (row.kind === 'action') row.action.run();
    else if (row.kind === 'prompt') choosePrompt(controller, row.prompt);
    else if (row.kind === 'session') controller.open(row.session.id);
    else controller.openMessage({ ...row.hit, words: hitWords(row.hit.snippet, state.answered) });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is a larger target for the mouse; Escape closes the dialog
    <dialog
      ref={dialog}
      class="search-dialog"
      aria-label={texts.title}
      data-testid="search-dialog"
      onClose={close}
      onClick={event => event.target === dialog.current && close()}
    >
      <div class="search-panel">
        <SearchBox
          text={text}
          listId={listId}
          activeKey={activeKey}
          isBusy={state.phase === 'loading'}
          isNarrow={filter !== undefined}
          onType={type}
          onMove={move}
          onOpen={() => open(rows.find(({ key }) => key === activeKey))}
          onClose={close}
          onFilters={() => narrow(filter ? undefined : {})}
        />
        {filter && <SearchFilters controller={controller} filter={filter} onChange={narrow} />}
        <div class="search-body">
          <SearchResults
            listId={listId}
            groups={groups}
            query={state.answered}
            activeKey={activeKey}
            isBusy={state.phase === 'loading'}
            onHover={setActiveKey}
            onOpen={open}
          />
          <SearchStatus state={state} text={text} count={rows.length} requests={requests} />
        </div>
        <SearchHints texts={texts} />
      </div>
    </dialog>
  );
}

/** Holds the text of the field and the results for it. */
function useSearch() {
  const requests = useMemo(() => createSearchRequests(searchClient), []);
  const state = useStore(requests.state, whole => whole);
  const [text, setText] = useState('');
  useEffect(() => requests.stop, [requests]);
  const type = (next: string) => {
    setText(next);
    requests.type(next);
  };
  return { requests, state, text, type };
}

interface SearchBoxProps {
  text: string;
  listId: string;
  activeKey: string | undefined;
  isBusy: boolean;
  onType: (text: string) => void;
  onMove: (step: number) => void;
  onOpen: () => void;
  onClose: () => void;
  isNarrow: boolean;
  onFilters: () => void;
}

/** Shows the field. The arrow keys choose a result while the focus stays here. */
function SearchBox({ text, listId, activeKey, isBusy, isNarrow, onType, onMove, onOpen, onClose, onFilters }: SearchBoxProps) {
  const messages = useMessages();
  const texts = searchTexts[useLocale()];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    const act = { ArrowDown: () => onMove(1), ArrowUp: () => onMove(-1), Enter: onOpen }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div class="search-box">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeKey === undefined ? undefined : optionId(activeKey)}
        aria-label={texts.title}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        enterkeyhint="search"
        placeholder={texts.placeholder}
        data-testid="search-field"
        value={text}
        onInput={event => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isBusy && <span class="spinner" />}
      <button
        type="button"
        class="icon-button small"
        title={texts.filters}
        aria-label={texts.filters}
        aria-expanded={isNarrow}
        data-testid="search-filter"
        onClick={onFilters}
      >
        <Icon name="settings" />
      </button>
      <button type="button" class="icon-button small" aria-label={messages.close} data-testid="search-close" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

interface SearchStatusProps {
  state: SearchState;
  text: string;
  count: number;
  requests: SearchRequests;
}

/** Says how the search stands, and offers what to do next. */
function SearchStatus({ state, text, count, requests }: SearchStatusProps) {
  const messages = useMessages();
  const texts = searchTexts[useLocale()];
  const isEmpty = state.phase === 'ready' && count === 0;
  return (
    <>
      <div role="status" class="search-status" data-testid="search-status">
        {state.phase === 'loading' && count === 0 && <p>{texts.searching}</p>}
        {state.phase === 'idle' && text.trim() === '' && count === 0 && <p>{texts.noChats}</p>}
        {isEmpty && (
          <p>
            {texts.nothing(state.answered)} <span>{texts.nothingHint}</span>
          </p>
        )}
        {state.phase === 'ready' && count > 0 && <span class="visually-hidden">{texts.found(count)}</span>}
        {state.phase === 'failed' && (
          <p class="search-failed">
            {texts.failed}{' '}
            <button type="button" class="link-button" data-testid="search-retry" onClick={requests.retry}>
              {messages.retry}
            </button>
          </p>
        )}
      </div>
      {state.phase === 'ready' && state.nextCursor !== undefined && (
        <button type="button" class="link-button search-more" data-testid="search-more" onClick={requests.loadMore}>
          {texts.more}
        </button>
      )}
    </>
  );
}

/** Returns the newest chats while the field is empty, else the results. Older results stay until newer ones arrive. */
function useGroups(
  controller: ChatController,
  { state, text, actions }: { state: SearchState; text: string; actions: readonly Action[] },
): RowGroup[] {
  const texts = searchTexts[useLocale()];
  const recent = useStore(controller.store, ({ sessions }) => sessions);
  const toRow = (session: (typeof recent)[number]): SearchRow => ({ kind: 'session', key: session.id, session });
  const groups: RowGroup[] =
    text.trim() === ''
      ? [{ title: texts.recent, rows: recent.slice(0, RECENT_CHATS).map(toRow) }]
      : [
          { title: texts.chats, rows: state.sessions.map(toRow) },
          {
            title: texts.messages,
            rows: orderHits(state.hits).map((hit, index): SearchRow => ({ kind: 'message', key: `hit${index}`, ...hit })),
          },
        ];
  groups.push({ title: texts.prompts, rows: state.prompts.map((prompt): SearchRow => ({ kind: 'prompt', key: prompt.id, prompt })) });
  groups.push({ title: texts.actions, rows: actions.map((action): SearchRow => ({ kind: 'action', key: action.id, action })) });
  return groups.filter(group => group.rows.length > 0);
}

/** Keeps one row chosen: the first row until the person chooses another. */
function useChoice(rows: readonly SearchRow[]) {
  const [chosen, setActiveKey] = useState<string>();
  const index = Math.max(
    0,
    rows.findIndex(({ key }) => key === chosen),
  );
  const activeKey = rows[index]?.key;
  const move = (step: number) => {
    const next = rows[(index + step + rows.length) % rows.length];
    setActiveKey(next?.key);
    if (next) document.getElementById(optionId(next.key))?.scrollIntoView({ block: 'nearest' });
  };
  return { activeKey, setActiveKey, move };
}

/** Shows the dialog above the page. The focus goes into it, and back when it closes. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing returns the focus. While the dialog is open, nothing behind it can take the focus.
    return () => element?.close();
  }, []);
  return dialog;
}
