import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { isRowOf } from '../../state/app_state';
import { type Folder, folderKey, isUnderItsDay } from '../../state/chat_lists';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { type DayGroup, groupByDay } from './group_sessions';
import { SessionRow } from './session_row';
import { useRovingFocus } from './use_roving_focus';

const SelectionBar = lazy(async () => (await import('./selection_bar')).SelectionBar);
const KeptListNote = lazy(async () => (await import('../../offline/kept_notes')).KeptListNote);

interface SessionRowsProps {
  controller: ChatController;
  onOpen: (id: string) => void;
  onRemove: (session: SessionSummary) => void;
}

/** The list of chats: pinned ones, projects, the others by day, and the archive. One tab stop; arrow keys move in it. */
export function SessionRows({ controller, onOpen, onRemove }: SessionRowsProps) {
  const messages = useMessages();
  const locale = useLocale();
  const { store } = controller;
  const sessions = useStore(store, state => state.sessions);
  const pinned = useStore(store, state => state.pinned);
  const projects = useStore(store, state => state.projects);
  const cursor = useStore(store, state => state.sessionsCursor);
  const isLoaded = useStore(store, state => state.sessionsLoaded);
  const isAway = useStore(store, state => state.isAway);
  const list = useRovingFocus();
  const { selected, toggle, deselect, endSelection } = useSelection();
  const rowsOf = (rows: readonly SessionSummary[]) => <Rows {...{ controller, onOpen, onRemove, rows, selected }} onSelect={toggle} />;
  const others = sessions.filter(isUnderItsDay);
  return (
    <>
      <div class="session-scroller" ref={list}>
        {isAway && sessions.length > 0 && <KeptListNote />}
        {pinned.length > 0 && (
          <>
            <h2 class="session-group">{messages.pinnedChats}</h2>
            {rowsOf(pinned)}
          </>
        )}
        {projects.map(({ name, sessions: count }) => (
          <FolderPart key={name} controller={controller} folder={{ project: name }} name={name} count={count} rowsOf={rowsOf} />
        ))}
        {groupByDay(others, new Date(), locale).map(group => (
          <div key={group.key}>
            <h2 class="session-group">{group.month ?? messages.dayGroups[group.key as DayGroup]}</h2>
            {rowsOf(group.sessions)}
          </div>
        ))}
        {isLoaded && sessions.length === 0 && <p class="sessions-empty">{messages.noSessions}</p>}
        {cursor && <MoreButton onPress={() => controller.sessions.loadMore()} />}
        {isLoaded && <FolderPart controller={controller} folder="archived" name={messages.archivedChats} rowsOf={rowsOf} />}
      </div>
      {selected && <SelectionBar controller={controller} sessions={selected} onDeselect={deselect} onDone={endSelection} />}
    </>
  );
}

/** The chats that the person has selected; undefined while no chats are being selected. */
function useSelection() {
  const [selected, setSelected] = useState<readonly SessionSummary[]>();
  const toggle = (session: SessionSummary) =>
    setSelected(before => {
      const left = before?.filter(({ id }) => id !== session.id) ?? [];
      return before && left.length < before.length ? left : [...left, session];
    });
  const deselect = (ids: readonly string[]) =>
    setSelected(before => {
      const left = before?.filter(({ id }) => !ids.includes(id)) ?? [];
      return left.length > 0 ? left : undefined;
    });
  return { selected, toggle, deselect, endSelection: () => setSelected(undefined) };
}

interface RowsProps extends SessionRowsProps {
  rows: readonly SessionSummary[];
  selected: readonly SessionSummary[] | undefined;
  onSelect: (session: SessionSummary) => void;
}

function Rows({ controller, rows, selected, onOpen, onRemove, onSelect }: RowsProps) {
  const { store } = controller;
  const currentId = useStore(store, state =>
    state.openView ? undefined : rows.find(row => state.sessionId !== undefined && isRowOf(row, state))?.id,
  );
  const waitingIds = useStore(store, state => state.waitingSessionIds);
  const runningIds = useStore(store, state => state.runningSessionIds);
  return (
    <ul>
      {rows.map(session => (
        <SessionRow
          key={session.id}
          controller={controller}
          session={session}
          isCurrent={session.id === currentId}
          state={waitingIds.includes(session.id) ? 'waiting' : runningIds.includes(session.id) ? 'running' : 'idle'}
          isSelected={selected?.some(({ id }) => id === session.id)}
          onOpen={() => onOpen(session.id)}
          onRemove={() => onRemove(session)}
          onSelect={() => onSelect(session)}
        />
      ))}
    </ul>
  );
}

interface FolderPartProps {
  controller: ChatController;
  folder: Folder;
  name: string;
  count?: number;
  rowsOf: (rows: readonly SessionSummary[]) => preact.ComponentChildren;
}

function MoreButton({ onPress }: { onPress: () => Promise<void> }) {
  const messages = useMessages();
  return (
    <button type="button" class="link-button" data-roving data-testid="more-chats" onClick={() => void onPress()}>
      {messages.showMore}
    </button>
  );
}

function FolderPart({ controller, folder, name, count, rowsOf }: FolderPartProps) {
  const messages = useMessages();
  const open = useStore(controller.store, state => state.folders[folderKey(folder)]);
  return (
    <div class="session-folder">
      <button
        type="button"
        class="folder-button"
        aria-expanded={open !== undefined}
        data-roving
        data-testid={folder === 'archived' ? 'archived-chats' : 'project'}
        onClick={() => void controller.sessions.toggleFolder(folder)}
      >
        <Icon name={folder === 'archived' ? 'archive' : 'list_dir'} />
        <span class="session-title">{name}</span>
        {count !== undefined && <span class="folder-count">{count}</span>}
      </button>
      {open && (open.rows.length > 0 ? rowsOf(open.rows) : <p class="sessions-empty">{messages.emptyFolder}</p>)}
      {open?.cursor && <MoreButton onPress={() => controller.sessions.loadMoreOf(folder)} />}
    </div>
  );
}
