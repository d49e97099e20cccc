import type { Prompt } from '../../api/prompt_api';
import type { MessageHit, SessionSummary } from '../../api/rest_types';
import type { Action } from '../../commands/actions';
import { Icon } from '../../components/basic/icon';
import { formatWhen } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { Messages } from '../../i18n/messages';
import { toPlainText } from '../../markdown/plain_text';
import { onPlainClick } from '../../platform/plain_click';
import type { Locale } from '../../platform/preferences';
import { messageUrl } from '../../platform/session_url';
import { markHits } from './mark_hits';
import type { OrderedHit } from './order_hits';
import { searchTexts } from './search_texts';

/** A row that can be chosen: a chat, a message in one, a prompt, or an action. */
export type SearchRow =
  | { kind: 'session'; key: string; session: SessionSummary }
  | ({ kind: 'message'; key: string } & OrderedHit)
  | { kind: 'prompt'; key: string; prompt: Prompt }
  | { kind: 'action'; key: string; action: Action };

export interface RowGroup {
  title: string;
  rows: readonly SearchRow[];
}

interface SearchResultsProps {
  listId: string;
  groups: readonly RowGroup[];
  /** The words to mark. */
  query: string;
  activeKey: string | undefined;
  isBusy: boolean;
  onHover: (key: string) => void;
  onOpen: (row: SearchRow) => void;
}

/** Shows results in groups, as options of the search field. */
export function SearchResults({ listId, groups, isBusy, ...rest }: SearchResultsProps) {
  return (
    <div
      id={listId}
      role="listbox"
      class={isBusy ? 'search-results busy' : 'search-results'}
      aria-busy={isBusy}
      data-testid="search-results"
    >
      {groups.map(({ title, rows }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is a part of a form, not of a list of options
        <div key={title} role="group" aria-label={title}>
          {/* A list of options holds nothing but options for assistive technology. */}
          <div class="search-group" aria-hidden="true" data-testid="search-group">
            {title}
          </div>
          {rows.map(row => (
            <Row key={row.key} row={row} {...rest} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface RowProps extends Omit<SearchResultsProps, 'groups' | 'isBusy' | 'listId'> {
  row: SearchRow;
}

export const optionId = (key: string): string => `search-option-${key}`;

function Row({ row, query, activeKey, onHover, onOpen }: RowProps) {
  const isActive = row.key === activeKey;
  const option = {
    id: optionId(row.key),
    role: 'option',
    'aria-selected': isActive,
    tabIndex: -1,
    class: isActive ? 'search-row active' : 'search-row',
    'data-testid': `search-${row.kind}`,
    onMouseMove: () => !isActive && onHover(row.key),
  } as const;
  if (row.kind === 'prompt') {
    return (
      <button type="button" {...option} onClick={() => onOpen(row)}>
        <span class="search-action">
          <Icon name="prompts" />
          <Marked text={`/${row.prompt.name}`} query={query} />
        </span>
        <span class="search-snippet">
          <Marked text={row.prompt.text.replace(/\s+/g, ' ')} query={query} />
        </span>
      </button>
    );
  }
  if (row.kind === 'action') {
    return (
      <button type="button" {...option} onClick={() => onOpen(row)}>
        <span class="search-action">
          <Icon name={row.action.icon} />
          <Marked text={row.action.name} query={query} />
        </span>
      </button>
    );
  }
  return (
    <a
      {...option}
      href={row.kind === 'session' ? messageUrl(row.session.id) : messageUrl(row.hit.sessionId, row.hit)}
      onClick={onPlainClick(() => onOpen(row))}
    >
      {row.kind === 'session' ? (
        <SessionResult session={row.session} query={query} />
      ) : (
        <MessageResult hit={row.hit} isFirst={row.isFirst} query={query} />
      )}
    </a>
  );
}

function SessionResult({ session, query }: { session: SessionSummary; query: string }) {
  const messages = useMessages();
  const locale = useLocale();
  return (
    <span class="search-row-head">
      <span class="search-row-title">
        <Marked text={session.title || messages.untitled} query={query} />
      </span>
      <time dateTime={session.updatedAt}>{formatWhen(session.updatedAt, new Date(), locale)}</time>
    </span>
  );
}

function MessageResult({ hit, isFirst, query }: OrderedHit & { query: string }) {
  const messages = useMessages();
  const locale = useLocale();
  // Only texts of the agent are Markdown.
  const title = hit.title || messages.untitled;
  const snippet = hit.role === 'assistant' ? toPlainText(hit.snippet) : hit.snippet;
  return (
    <>
      {isFirst && <span class="search-row-chat">{title}</span>}
      <span class="search-row-head">
        <span class="search-row-role">{whoSays(hit, messages, locale)}</span>
        {!isFirst && <span class="visually-hidden">{title}</span>}
        <time dateTime={hit.at}>{formatWhen(hit.at, new Date(), locale)}</time>
      </span>
      <span class="search-snippet">
        <Marked text={snippet.replace(/\s+/g, ' ')} query={query} />
      </span>
    </>
  );
}

function whoSays({ role, parentSessionId }: MessageHit, messages: Messages, locale: Locale): string {
  if (role === 'assistant') return messages.agent;
  return parentSessionId === undefined ? messages.you : searchTexts[locale].task;
}

function Marked({ text, query }: { text: string; query: string }) {
  return (
    <>
      {markHits(text, query).map((segment, index) =>
        segment.isHit ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
      )}
    </>
  );
}

export function SearchHints({ texts }: { texts: { keys: string; open: string; close: string } }) {
  return (
    <p class="search-hints" aria-hidden="true">
      <kbd>↑</kbd>
      <kbd>↓</kbd> {texts.keys} <kbd>↵</kbd> {texts.open} <kbd>Esc</kbd> {texts.close}
    </p>
  );
}
