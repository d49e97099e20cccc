import { useEffect, useState } from 'preact/hooks';
import { RelativeTime } from '../../components/basic/relative_time';
import { SearchField } from '../../components/list/search_field';
import { McpTable } from '../../feature/mcp/mcp_table';
import { useLocale } from '../../i18n/language_context';
import { FilterSelect, ResetFilters } from '../parts/filters';
import { LoadNotice } from '../parts/load_notice';
import { SavedViews } from '../parts/saved_views';
import { useLive } from '../parts/use_live';
import { useOps, useOpsQuery } from '../shared/ops_controller';
import { PatchLevels } from './patch_levels';
import { filterTools, TOOL_STATES, toolIn } from './tool_states';
import { ToolTable } from './tool_table';
import { toolsTexts } from './tools_texts';
import type { ToolsView } from './tools_types';

const MAX_QUERY = 200;

/** How the tools do, MCP servers and manifests. */
export function ToolsScreen() {
  const locale = useLocale();
  const texts = toolsTexts[locale];
  const view = useLive<ToolsView>('tools');
  const [q, state] = [useOpsQuery('q'), useOpsQuery('state')];
  const { data } = view;
  return (
    <>
      <ToolFilters />
      <LoadNotice of={view} />
      {data && (
        <>
          <ToolTable
            rows={filterTools(
              data.tools.map(tool => toolIn(locale, tool)),
              { q, state },
            )}
            isFiltered={q !== '' || state !== ''}
          />
          <p class="field-note">
            {texts.countedSince} <RelativeTime iso={data.countedSince} />
          </p>
          <PatchLevels levels={data.patchLevels} />
          <McpTable servers={data.mcpServers} />
          <Manifests notices={data.manifestNotices} />
        </>
      )}
    </>
  );
}

function ToolFilters() {
  const texts = toolsTexts[useLocale()];
  const ops = useOps();
  const q = useOpsQuery('q');
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  return (
    <div class="toolbar">
      <div class="grow">
        <SearchField
          text={text}
          onText={next => {
            setText(next);
            ops.setQuery({ q: next });
          }}
          label={texts.search}
          maxLength={MAX_QUERY}
          testId="tool-search"
        />
      </div>
      <FilterSelect name="state" label={texts.stateFilter} options={TOOL_STATES.map(value => ({ value, text: texts.states[value] }))} />
      <ResetFilters names={['q', 'state']} />
      <SavedViews />
    </div>
  );
}

function Manifests({ notices }: { notices: ToolsView['manifestNotices'] }) {
  const locale = useLocale();
  const texts = toolsTexts[locale];
  return (
    <section aria-labelledby="manifests-heading">
      <h2 id="manifests-heading">{texts.manifests}</h2>
      {notices.length === 0 ? (
        <p class="view-empty">{texts.noMistakes}</p>
      ) : (
        <ul data-testid="manifest-problems">
          {notices.map(({ message, messageZh }) => (
            <li key={message}>{locale === 'zh-CN' ? messageZh : message}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
