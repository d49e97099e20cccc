import { useEffect, useState } from 'preact/hooks';
import { deletePrompt, listPrompts, type Prompt } from '../../api/prompt_api';
import type { ViewProps } from '../../chat/view_props';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { Icon } from '../../components/basic/icon';
import { focusViewHeading, useReturnFocus } from '../../components/basic/use_return_focus';
import { PagedRows } from '../../components/list/paged_rows';
import { SearchField } from '../../components/list/search_field';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale, useMessages } from '../../i18n/language_context';
import { PromptForm } from './prompt_form';
import { PromptRow } from './prompt_row';
import { promptTexts } from './prompt_texts';
import '../../components/list/view_parts.css';
import './prompts.css';

const PAGE_SIZE = 50;
const MAX_QUERY = 200;
/** Time without a key press after which the search starts, in milliseconds. */
const SEARCH_DELAY_MS = 200;

/** Lists the prompts of the tenant. A person searches, adds, edits, deletes and uses them. */
export function PromptsView({ controller }: ViewProps) {
  const messages = useMessages();
  const texts = promptTexts[useLocale()];
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const list = usePagedList(query, cursor => listPrompts({ q: query, limit: PAGE_SIZE, cursor }));
  const [isAdding, setAdding] = useState(false);
  const addButton = useReturnFocus(isAdding);
  const [removing, setRemoving] = useState<Prompt>();
  const remove = async ({ id }: Prompt) => {
    setRemoving(undefined);
    try {
      await deletePrompt(id);
      list.change(rows => rows.filter(row => row.id !== id));
      focusViewHeading();
    } catch {
      controller.notify(messages.requestFailed);
    }
  };
  return (
    <>
      <div class="view-toolbar">
        <div class="view-tools">
          <SearchField text={text} onText={setText} label={texts.search} maxLength={MAX_QUERY} testId="prompt-search" />
          <button ref={addButton} type="button" class="button primary" data-testid="add-prompt" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {texts.add}
          </button>
        </div>
      </div>
      {isAdding && (
        <PromptForm
          onSaved={prompt => {
            setAdding(false);
            list.change(rows => [prompt, ...rows]);
          }}
          onBack={() => setAdding(false)}
        />
      )}
      <PagedRows
        list={list}
        label={texts.list}
        testId="prompts"
        empty={query === '' ? texts.none : texts.noMatch}
        more={texts.more}
        controller={controller}
        renderRow={prompt => (
          <PromptRow
            key={prompt.id}
            prompt={prompt}
            controller={controller}
            onChange={next => list.change(rows => rows.map(row => (row.id === next.id ? next : row)))}
            onRemove={() => setRemoving(prompt)}
          />
        )}
      />
      {removing && (
        <ConfirmDialog
          title={texts.removeQuestion}
          text={texts.removeExplanation(removing.name)}
          action={texts.remove}
          onConfirm={() => void remove(removing)}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

/** Returns the text once the person has stopped typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
