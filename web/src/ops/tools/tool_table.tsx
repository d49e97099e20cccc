import { useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { RelativeTime } from '../../components/basic/relative_time';
import { formatCount, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import type { Locale } from '../../platform/preferences';
import { type Column, DataTable } from '../parts/data_table';
import { formatShare } from '../parts/format_figures';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag, type Tone } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { stateOfTool } from './tool_states';
import { type ToolsTexts, toolsTexts } from './tools_texts';
import type { ToolFigures } from './tools_types';

const TONES: Record<'on' | 'off' | 'broken', Tone> = { on: 'good', off: 'warn', broken: 'bad' };

/** The tools with their figures and the switch of each. */
export function ToolTable({ rows, isFiltered }: { rows: readonly ToolFigures[]; isFiltered: boolean }) {
  const locale = useLocale();
  const texts = toolsTexts[locale];
  const { isBusy, run } = useAction();
  const [stopping, setStopping] = useState<string>();
  const send = (name: string, body: { enabled: boolean; reason?: string }) =>
    callRest('POST', `/ops/tools/${encodeURIComponent(name)}`, body);
  const columns: Column<ToolFigures>[] = [
    ...stateColumns(texts),
    ...figureColumns(texts, locale),
    {
      key: 'actions',
      head: '',
      cell: ({ name, isSwitchedOff }) =>
        isSwitchedOff ? (
          <ScopeButton
            scope="ops:write"
            isBusy={isBusy}
            label={texts.switchOnOf(name)}
            testId="switch-on"
            onClick={() => run(() => send(name, { enabled: true }), texts.nowOn(name))}
          >
            {texts.switchOn}
          </ScopeButton>
        ) : (
          <ScopeButton
            scope="ops:write"
            isBusy={isBusy}
            label={texts.switchOffOf(name)}
            testId="switch-off"
            onClick={() => setStopping(name)}
          >
            {texts.switchOff}
          </ScopeButton>
        ),
    },
  ];
  return (
    <>
      <DataTable
        label={texts.tools}
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
        stateOf={stateOfTool}
        empty={isFiltered ? texts.noMatch : texts.noTools}
        testId="tools"
      />
      {stopping !== undefined && (
        <ReasonDialog
          title={texts.offQuestion(stopping)}
          text={texts.offText}
          reasonLabel={texts.offReason}
          action={texts.switchOff}
          keep={texts.keepOn}
          onConfirm={reason => {
            setStopping(undefined);
            run(() => send(stopping, { enabled: false, reason: reason || undefined }), texts.nowOff(stopping));
          }}
          onCancel={() => setStopping(undefined)}
        />
      )}
    </>
  );
}

function stateColumns(texts: ToolsTexts): Column<ToolFigures>[] {
  return [
    {
      key: 'tool',
      head: texts.tool,
      isName: true,
      cell: ({ name, label, toolset }) => (
        <>
          <code>{name}</code>
          <span class="cell-note">{`${label} · ${toolset}`}</span>
        </>
      ),
    },
    {
      key: 'state',
      head: texts.state,
      cell: tool => {
        const state = stateOfTool(tool);
        const mostlyFails = state === 'on' && tool.errors * 2 >= tool.calls && tool.errors > 0;
        const tone = mostlyFails ? 'bad' : TONES[state];
        return (
          <>
            <StatusTag tone={tone}>{mostlyFails ? texts.mostlyFails : texts.states[state]}</StatusTag>
            {tool.reason && !tool.problems?.some(problem => tool.reason?.includes(problem)) && <span class="cell-note">{tool.reason}</span>}
            {tool.problems?.map(problem => (
              <span key={problem} class="cell-note bad">
                {problem}
              </span>
            ))}
            {tool.lastError && (
              <span class="cell-note bad">
                {texts.lastError} <RelativeTime iso={tool.lastError.at} />
                {tool.lastError.status !== 'error' && <code> {tool.lastError.status}</code>}
              </span>
            )}
          </>
        );
      },
    },
  ];
}

function figureColumns(texts: ToolsTexts, locale: Locale): Column<ToolFigures>[] {
  const duration = (ms: number | undefined) => (ms === undefined ? '' : formatDuration(ms, locale));
  return [
    { key: 'calls', head: texts.calls, isNumber: true, why: 'memory', cell: ({ calls }) => formatCount(calls, locale) },
    {
      key: 'errors',
      head: texts.errors,
      isNumber: true,
      why: 'memory',
      cell: ({ errors, calls }) =>
        errors === 0 ? (
          0
        ) : (
          <span class="bad-figure">{`${formatCount(errors, locale)} (${formatShare(errors / Math.max(1, calls), locale)})`}</span>
        ),
    },
    { key: 'p50', head: texts.p50, isNumber: true, why: 'measured', cell: ({ p50Ms }) => duration(p50Ms) },
    { key: 'p95', head: texts.p95, isNumber: true, why: 'measured', cell: ({ p95Ms }) => duration(p95Ms) },
    { key: 'cached', head: texts.cached, isNumber: true, why: 'memory', cell: ({ cached }) => formatCount(cached, locale) },
    { key: 'duplicates', head: texts.duplicates, isNumber: true, why: 'memory', cell: ({ duplicates }) => formatCount(duplicates, locale) },
    {
      key: 'size',
      head: texts.size,
      isNumber: true,
      why: 'measured',
      cell: ({ resultUnits, calls }) => (calls === 0 ? '' : formatCount(Math.round(resultUnits / calls), locale)),
    },
  ];
}
