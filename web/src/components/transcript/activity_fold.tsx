import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatDuration } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ActivityGroup } from '../../state/turn_groups';
import type { ToolItem } from '../../state/view_types';
import { Icon, toolIcon } from '../basic/icon';
import { useKept } from '../basic/kept_state';
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
  /** `onToggle`: called when the person opens or closes the card. */
  renderItem: (item: ActivityGroup['items'][number], onToggle: (isOpen: boolean) => void) => ComponentChildren;
}

/**
 * Shows tool calls that stand together: one call as its card, several as one line that opens to their cards. A card stays as it is when a
 * second call makes the line: open, with its focus and its live output.
 */
export function ActivityFold({ group: { items }, clockOffsetMs, onStop, renderItem }: ActivityFoldProps) {
  const [isOpen, setOpen] = useKept(`fold ${items[0].id}`, false);
  const calls = items.filter((item): item is ToolItem => item.kind === 'tool');
  const isFold = calls.length > 1;
  const live = findLive(calls);
  const shown = !isFold || isOpen ? items : live;
  const { head, body } = useKeptFocus();
  const isRunning = calls.some(({ state }) => state === 'running');
  const noteToggle = (isCardOpen: boolean) => setOpen(isCardOpen || (isFold && isOpen));
  return (
    <section
      class={isFold ? 'activity' : 'activity single'}
      data-testid={isFold ? 'activity' : undefined}
      data-state={isFold ? (isRunning ? 'running' : 'done') : undefined}
    >
      {isFold && (
        <FoldHead calls={calls} live={live} clockOffsetMs={clockOffsetMs} isOpen={isOpen} button={head} onOpen={setOpen} onStop={onStop} />
      )}
      {shown.length > 0 && (
        <div key="items" class={isFold ? 'activity-items' : undefined} ref={body}>
          {shown.map(item => renderItem(item, noteToggle))}
        </div>
      )}
    </section>
  );
}

/** Returns the running calls whose cards a closed line shows: those with output, and all when several run. */
function findLive(calls: readonly ToolItem[]): ToolItem[] {
  const running = calls.filter(({ state }) => state === 'running');
  return running.length > 1 ? running : running.filter(({ output }) => output !== '');
}

/** Moves the focus to the head when the card that had it disappears into the line. */
function useKeptFocus() {
  const head = useRef<HTMLButtonElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const hadFocus = body.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (hadFocus && !body.current?.contains(document.activeElement)) head.current?.focus({ preventScroll: true });
  });
  return { head, body };
}

interface FoldHeadProps extends Pick<ActivityFoldProps, 'clockOffsetMs' | 'onStop'> {
  calls: readonly ToolItem[];
  /** Running calls whose cards stand below the line. */
  live: readonly ToolItem[];
  isOpen: boolean;
  button: { readonly current: HTMLButtonElement | null };
  onOpen: (isOpen: boolean) => void;
}

/** Shows the line itself. A running call without a card of its own shows in the line, with a button that stops it. */
function FoldHead({ calls, live, clockOffsetMs, isOpen, button, onOpen, onStop }: FoldHeadProps) {
  const messages = useMessages();
  const step = live.length === 0 ? calls.find(({ state }) => state === 'running') : undefined;
  return (
    <div class="tool-row">
      <button type="button" class="tool-head activity-head" ref={button} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
        {step ? (
          <RunningStep call={step} number={calls.length} clockOffsetMs={clockOffsetMs} />
        ) : (
          <WorkSummary calls={calls} running={live.length} />
        )}
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </button>
      {step && <StopCall key={step.id} label={labelOf(step, messages)} onStop={() => onStop(step.toolCallId)} />}
    </div>
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

/** Says what the calls did, and how many of them still run. */
function WorkSummary({ calls, running }: { calls: readonly ToolItem[]; running: number }) {
  const messages = useMessages();
  const locale = useLocale();
  const misses = countMisses(calls);
  const span = running === 0 ? spanOf(calls) : undefined;
  const facts = [
    running > 0 && messages.activityRunning(running),
    misses > 0 && messages.activityMisses(misses),
    span !== undefined && formatDuration(span, locale),
  ].filter(Boolean);
  const isOneTool = calls.every(({ name }) => name === calls[0]?.name);
  return (
    <>
      <span class="tool-icon">
        {running > 0 ? <span class="spinner" /> : <Icon name={isOneTool ? toolIcon(calls[0]?.name ?? '') : 'tools'} />}
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
