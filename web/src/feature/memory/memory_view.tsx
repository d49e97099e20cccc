import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ViewProps } from '../../chat/view_props';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { Icon } from '../../components/basic/icon';
import { focusViewHeading, useReturnFocus } from '../../components/basic/use_return_focus';
import { PagedRows } from '../../components/list/paged_rows';
import { SearchField } from '../../components/list/search_field';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale, useMessages } from '../../i18n/language_context';
import { EXPORT_HREF, forgetMemory, listMemories, MAX_QUERY, MEMORY_KINDS, type Memory, type MemoryQuery } from './memory_api';
import { MemoryForm } from './memory_form';
import { MemoryRow } from './memory_row';
import { memoryTexts } from './memory_texts';
import '../../components/list/view_parts.css';
import './memory.css';

/** Time without a key press after which the search starts, in milliseconds. */
const SEARCH_DELAY_MS = 200;

/** Lists the memories. A person searches, adds, edits, deletes and exports them. */
export function MemoryView({ controller }: ViewProps) {
  const messages = useMessages();
  const texts = memoryTexts[useLocale()];
  const [query, setQuery] = useState<MemoryQuery>({ text: '', kind: undefined });
  const list = usePagedList(`${query.kind} ${query.text}`, cursor => listMemories(query, cursor));
  const [isAdding, setAdding] = useState(false);
  const addButton = useReturnFocus(isAdding);
  const [forgetting, setForgetting] = useState<Memory>();
  const forget = async (memory: Memory) => {
    setForgetting(undefined);
    try {
      await forgetMemory(memory.id);
      list.change(rows => rows.filter(row => row !== memory));
      focusViewHeading();
    } catch {
      controller.notify(messages.requestFailed);
    }
  };
  const isFiltered = query.text !== '' || query.kind !== undefined;
  return (
    <>
      <Toolbar query={query} onQuery={setQuery} addButton={addButton} onAdd={() => setAdding(true)} />
      {isAdding && (
        <MemoryForm
          onSaved={memory => {
            setAdding(false);
            list.change(rows => [memory, ...rows.filter(row => row.id !== memory.id)]);
          }}
          onBack={() => setAdding(false)}
        />
      )}
      <PagedRows
        list={list}
        label={texts.memoryList}
        testId="memories"
        empty={isFiltered ? texts.noMatch : texts.noMemories}
        more={texts.moreMemories}
        controller={controller}
        renderRow={memory => (
          <MemoryRow
            key={memory.id}
            memory={memory}
            controller={controller}
            onChange={next => list.change(rows => rows.flatMap(row => (row === memory ? (next ?? []) : row)))}
            onForget={() => setForgetting(memory)}
          />
        )}
      />
      {forgetting && (
        <ConfirmDialog
          title={texts.forgetQuestion}
          text={texts.forgetExplanation(forgetting.text)}
          action={texts.forget}
          onConfirm={() => void forget(forgetting)}
          onCancel={() => setForgetting(undefined)}
        />
      )}
    </>
  );
}

interface ToolbarProps {
  query: MemoryQuery;
  onQuery: (query: MemoryQuery) => void;
  addButton: RefObject<HTMLButtonElement>;
  onAdd: () => void;
}

function Toolbar({ query, onQuery, addButton, onAdd }: ToolbarProps) {
  const texts = memoryTexts[useLocale()];
  const [text, setText] = useState(query.text);
  useEffect(() => {
    const timer = setTimeout(() => text.trim() !== query.text && onQuery({ ...query, text: text.trim() }), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, query]);
  return (
    <div class="view-toolbar">
      <div class="view-tools">
        <SearchField text={text} onText={setText} label={texts.searchMemories} maxLength={MAX_QUERY} testId="memory-search" />
        <button ref={addButton} type="button" class="button primary" data-testid="add-memory" onClick={onAdd}>
          <Icon name="plus" />
          {texts.addMemory}
        </button>
      </div>
      <div class="chip-row">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need its own frame and legend */}
        <div class="chips" role="group" aria-label={texts.filterByKind}>
          {[undefined, ...MEMORY_KINDS].map(kind => (
            <button
              key={kind ?? 'all'}
              type="button"
              class="chip"
              aria-pressed={kind === query.kind}
              data-testid={`kind-${kind ?? 'all'}`}
              onClick={() => onQuery({ ...query, kind })}
            >
              {kind ? texts.kinds[kind] : texts.allKinds}
            </button>
          ))}
        </div>
        <a class="quiet-link" href={EXPORT_HREF} download title={texts.exportTitle} data-testid="export-memories">
          {texts.exportMemories}
        </a>
      </div>
    </div>
  );
}
