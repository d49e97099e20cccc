import { useState } from 'preact/hooks';
import type { ViewProps } from '../../chat/view_props';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { ListNotice } from '../../components/list/list_notice';
import { SearchField } from '../../components/list/search_field';
import { usePagedList } from '../../components/list/use_paged_list';
import { McpServers } from '../../feature/mcp/mcp_servers';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale } from '../../i18n/language_context';
import { groupTools, type ToolGroup } from './group_tools';
import { listTools, type Tool } from './tool_api';
import { toolViewTexts } from './tool_view_texts';
import '../../components/list/view_parts.css';
import './tools.css';

/** Characters of a search. */
const MAX_QUERY = 200;

/** Lists the MCP servers and all tools by toolset. */
export function ToolsView({ controller }: ViewProps) {
  const locale = useLocale();
  const texts = toolViewTexts[locale];
  const [query, setQuery] = useState('');
  const list = usePagedList<Tool>(`tools ${locale}`, listTools);
  const groups = groupTools(list.rows, query);
  const since = list.rows[0]?.countedSince;
  return (
    <>
      <McpServers controller={controller} onChange={() => void list.refresh()} />
      <div class="view-toolbar">
        <SearchField text={query} onText={setQuery} label={texts.searchTools} maxLength={MAX_QUERY} testId="tool-search" />
        {since && (
          <p class="row-facts">
            <span>
              {texts.countedSince} <RelativeTime iso={since} />
            </span>
          </p>
        )}
      </div>
      <ListNotice list={list} empty={texts.noTools} />
      <p class={groups.length === 0 && list.rows.length > 0 ? 'view-empty' : 'visually-hidden'} role="status" data-testid="tools-found">
        {query.trim() !== '' && texts.found(groups.reduce((sum, { tools }) => sum + tools.length, 0))}
      </p>
      {groups.map(group => (
        <Toolset key={group.key} group={group} />
      ))}
    </>
  );
}

function Toolset({ group: { key, toolset, origin, tools } }: { group: ToolGroup }) {
  const texts = toolViewTexts[useLocale()];
  const id = `toolset-${key.replaceAll(/\W+/g, '-')}`;
  return (
    <section class="toolset" aria-labelledby={id} data-testid="toolset" data-toolset={toolset} data-origin={origin}>
      <h2 id={id}>
        {toolset} <span class="tag">{texts.origin[origin]}</span>
      </h2>
      <ul class="view-rows">
        {tools.map(tool => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
      </ul>
    </section>
  );
}

/** Shows one tool; its description folds open. */
function ToolRow({ tool }: { tool: Tool }) {
  const locale = useLocale();
  const texts = toolViewTexts[locale];
  const problems = tool.problems ?? [];
  return (
    <li class="tool-entry" data-testid="tool" data-name={tool.name} data-enabled={tool.enabled}>
      <details>
        <summary>
          <span class="tool-entry-name">
            <strong>{tool.label}</strong> <code>{tool.name}</code>
          </span>
          <span class="row-facts">
            <span class={tool.enabled ? 'tag' : 'tag warn'}>{tool.enabled ? texts.enabled : texts.disabled}</span>
            <span>{texts.effect[tool.effect]}</span>
            <span>{texts.calls(tool.calls)}</span>
            {tool.errors > 0 && <span class="tool-errors">{texts.errors(tool.errors)}</span>}
          </span>
          <span class="chevron">
            <Icon name="chevron" />
          </span>
        </summary>
        <p class="tool-description">{tool.description || texts.noDescription}</p>
      </details>
      {!tool.enabled && tool.reason && !problems.includes(tool.reason) && (
        <p class="tool-reason" data-testid="tool-reason">
          {tool.reason}
        </p>
      )}
      {problems.map(problem => (
        <p key={problem} class="tool-reason" data-testid="tool-problem">
          {problem}
        </p>
      ))}
      {(tool.asideFor ?? []).map(({ model, reason }) => (
        <p key={model} class="tool-reason" data-testid="tool-aside">
          {joinSentences(locale, texts.aside(model), reason)}
        </p>
      ))}
    </li>
  );
}
