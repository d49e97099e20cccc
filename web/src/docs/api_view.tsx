import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import { ROOT } from '../platform/root';
import { type ApiDocument, findOperations, type OperationGroup, readDocument } from './api_document';
import { useDocsTexts } from './docs_texts';
import { GuideHits } from './guide_hits';
import { InlineCode } from './inline_code';
import { OperationView } from './operation_view';
import { SCHEMAS_PLACE, SchemaList } from './schema_list';
import { useGradually } from './use_gradually';
import { useScrollTo } from './use_scroll_to';
import { yieldToBrowser } from './yield_to_browser';

/**
 * Shows the operations of this gateway, from its own OpenAPI document. A closed view keeps its input.
 * `place`: `/group`, `/group/operation`, `/schemas` or `/schemas/name`.
 */
export function ApiView({ isOpen, place }: { isOpen: boolean; place: string }) {
  const texts = useDocsTexts();
  const [attempt, setAttempt] = useState(0);
  const { api, isFailed } = useDocument(isOpen, attempt);
  const [search, setSearch] = useState('');
  const [key, setKey] = useState('');
  const groups = useMemo(() => (api ? findOperations(api, search) : []), [api, search]);
  const drawn = useGradually(groups.length, 1);
  return (
    <section class="guide-frame" hidden={!isOpen}>
      <div class="api-side">
        <SideField type="search" label={texts.search} value={search} onInput={setSearch} />
        <SideField type="password" label={texts.key} hint={texts.keyHint} value={key} onInput={value => setKey(value.trim())} />
        <GroupList groups={groups} hasSchemas={api !== undefined && search === ''} />
      </div>
      <div class="api-groups">
        <h1>{texts.apiTitle}</h1>
        {!api && <DocumentState isFailed={isFailed} onRetry={() => setAttempt(attempt + 1)} />}
        <GuideHits search={search} />
        {api && groups.length === 0 && <p role="status">{texts.noOperations}</p>}
        {api && groups.slice(0, drawn).map(group => <Group key={group.name} group={group} api={api} apiKey={key} place={place} />)}
        {api && drawn === groups.length && <SchemaList schemas={api.schemas} place={place} search={search} />}
      </div>
    </section>
  );
}

interface SideFieldProps {
  type: 'search' | 'password';
  label: string;
  hint?: string;
  value: string;
  onInput: (value: string) => void;
}

function SideField({ type, label, hint, value, onInput }: SideFieldProps) {
  return (
    <label class="side-field">
      <span>{label}</span>
      <input
        type={type}
        autocomplete="off"
        value={value}
        placeholder={hint}
        data-testid={`api-${type}`}
        onInput={event => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

function DocumentState({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  const texts = useDocsTexts();
  return (
    <p class="docs-note" role="status">
      {isFailed ? texts.failed : texts.loading}{' '}
      {isFailed && (
        <button type="button" class="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </p>
  );
}

function GroupList({ groups, hasSchemas }: { groups: readonly OperationGroup[]; hasSchemas: boolean }) {
  const texts = useDocsTexts();
  return (
    <nav class="guide-list" aria-label={texts.groups}>
      {groups.map(({ name, operations }) => (
        <a key={name} href={`#/${name}`}>
          {name} <small>{operations.length}</small>
        </a>
      ))}
      {hasSchemas && <a href={`#${SCHEMAS_PLACE}`}>{texts.schemas}</a>}
    </nav>
  );
}

interface GroupProps {
  group: OperationGroup;
  api: ApiDocument;
  apiKey: string;
  place: string;
}

function Group({ group, api, apiKey, place }: GroupProps) {
  const heading = useScrollTo<HTMLHeadingElement>(place === `/${group.name}`);
  return (
    <section class="api-group">
      <h2 ref={heading}>{group.name}</h2>
      <p>
        <InlineCode text={group.description} />
      </p>
      {group.operations.map(operation => (
        <OperationView
          key={operation.id}
          operation={operation}
          schemas={api.schemas}
          apiKey={apiKey}
          isNamed={place === `/${group.name}/${operation.id}`}
        />
      ))}
    </section>
  );
}

/** Loads the document in the language of the page, when the view opens for the first time. */
function useDocument(isOpen: boolean, attempt: number): { api: ApiDocument | undefined; isFailed: boolean } {
  const locale = useLocale();
  const [api, setApi] = useState<ApiDocument>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    let isWanted = true;
    setFailed(false);
    fetch(`${ROOT}openapi.json?lang=${locale}`)
      .then(async response => {
        if (!response.ok) throw new Error(`HTTP ${response.status}`);
        const written = await response.json();
        await yieldToBrowser();
        const document = readDocument(written);
        if (isWanted) setApi(document);
      })
      .catch(() => isWanted && setFailed(true));
    return () => {
      isWanted = false;
    };
  }, [isOpen, locale, attempt]);
  return { api, isFailed };
}
