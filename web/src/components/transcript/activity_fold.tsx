import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatSpan } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ActivityGroup } from '../../state/turn_groups';
import type { ToolItem } from '../../state/view_types';
import { Icon, toolIcon } from '../basic/icon';
import { countMisses, spanOf, summarizeActivity } from '../calls/activity_summary';
import { labelOf } from '../calls/tool_label';
import { summarizeCall } from '../calls/tool_summary';
import { Elapsed } from './elapsed';
import { StopCall } from './stop_call';

interface ActivityFoldProps {
  group: ActivityGroup;
  clockOffsetMs: number;
  /** Stops the running call. Never rejects. */
  onStop: (toolCallId: string) => Promise<void>;
  renderItem: (item: ActivityGroup['items'][number]) => ComponentChildren;
}

/** Shows quiet tool calls as one line, which opens to their cards. While a call runs, the line shows that call. */
export function ActivityFold({ group, clockOffsetMs, onStop, renderItem }: ActivityFoldProps) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const calls = group.items.filter((item): item is ToolItem => item.kind === 'tool');
  const running = calls.findLast(({ state }) => state === 'running');
  return (
    <section class="activity" data-testid="activity" data-state={running ? 'running' : 'done'}>
      <div class="tool-row">
        <button type="button" class="tool-head activity-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {running ? <RunningStep call={running} number={calls.length} clockOffsetMs={clockOffsetMs} /> : <DoneWork calls={calls} />}
          <span class="chevron">
            <Icon name="chevron" />
          </span>
        </button>
        {running && <StopCall key={running.id} label={labelOf(running, messages)} onStop={() => onStop(running.toolCallId)} />}
      </div>
      {isOpen && <div class="activity-items">{group.items.map(renderItem)}</div>}
    </section>
  );
}

function RunningStep({ call, number, clockOffsetMs }: { call: ToolItem; number: number; clockOffsetMs: number }) {
  const messages = useMessages();
  return (
    <>
      <span class="tool-icon">
        <span class="spinner" />
      </span>
      <span class="tool-label">{labelOf(call, messages)}</span>
      <span class="tool-summary">{summarizeCall(call, messages.planProgress)}</span>
      <span class="tool-facts">
        <span>{messages.activitySteps(number)}</span>
        <Elapsed since={call.startedAt} clockOffsetMs={clockOffsetMs} />
        <span class="visually-hidden">{messages.toolState.running}</span>
      </span>
    </>
  );
}

function DoneWork({ calls }: { calls: readonly ToolItem[] }) {
  const messages = useMessages();
  const locale = useLocale();
  const misses = countMisses(calls);
  const span = spanOf(calls);
  const facts = [misses > 0 && messages.activityMisses(misses), span !== undefined && formatSpan(span, locale)].filter(Boolean);
  return (
    <>
      <span class="tool-icon">
        <Icon name={calls.every(({ name }) => name === calls[0]?.name) ? toolIcon(calls[0]?.name ?? '') : 'tools'} />
      </span>
      <span class="activity-text">
        {summarizeActivity(calls, messages)}
        {facts.map(fact => (
          <span key={fact}> · {fact}</span>
        ))}
      </span>
    </>
  );
}
