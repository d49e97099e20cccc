import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { RelativeTime } from '../../views/relative_time';
import { SearchField } from '../../views/search_field';
import { listTools } from '../../views/tools/tool_api';
import { useOps, useOpsQuery } from '../ops_controller';
import { FilterSelect, ResetFilters } from '../parts/filters';
import { LoadNotice } from '../parts/load_notice';
import { useLive } from '../parts/use_live';
import { useResource } from '../parts/use_resource';
import { McpTable } from './mcp_table';
import { PatchLevels } from './patch_levels';
import { filterTools, TOOL_STATES } from './tool_states';
import { ToolTable } from './tool_table';
import { toolsTexts } from './tools_texts';
import type { ToolFigures, ToolsView } from './tools_types';

const MAX_QUERY = 200;

/** How the tools do, MCP servers and manifests. */
export function ToolsScreen() {
  const texts = toolsTexts[useLocale()];
  const view = useLive<ToolsView>('tools');
  const [q, state] = [useOpsQuery('q'), useOpsQuery('state')];
  const { data } = view;
  const translate = useTranslation();
  return (
    <>
      <ToolFilters />
      <LoadNotice of={view} />
      {data && (
        <>
          <ToolTable rows={filterTools(data.tools.map(translate), { q, state })} isFiltered={q !== '' || state !== ''} />
          <p class="field-note">
            {texts.countedSince} <RelativeTime iso={data.countedSince} />
          </p>
          <PatchLevels levels={data.patchLevels} />
          <McpTable servers={data.mcpServers} />
          <Manifests problems={data.manifestProblems} />
        </>
      )}
    </>
  );
}

/** The stream is one for all operators, in the language of the gateway; the list of tools is in that of the page. */
function useTranslation(): (tool: ToolFigures) => ToolFigures {
  const list = useResource(useLocale(), listTools);
  const known = new Map((list.data?.data ?? []).map(tool => [tool.name, tool]));
  return tool => {
    const { label = tool.label, reason } = known.get(tool.name) ?? {};
    // The reason of a switch is in the words of the operator.
    return { ...tool, label, ...(reason !== undefined && !tool.isSwitchedOff && { reason }) };
  };
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
    </div>
  );
}

function Manifests({ problems }: { problems: readonly string[] }) {
  const texts = toolsTexts[useLocale()];
  return (
    <section aria-labelledby="manifests-heading">
      <h2 id="manifests-heading">{texts.manifests}</h2>
      {problems.length === 0 ? (
        <p class="view-empty">{texts.noMistakes}</p>
      ) : (
        <ul data-testid="manifest-problems">
          {problems.map(problem => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
