import type { ComponentChildren } from 'preact';
import type { Direction } from '../../chat/tool_call_actions';
import { formatDuration } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { isMiss } from '../../state/activity';
import { appOf } from '../../state/app_call';
import type { ApprovalItem, ToolItem, ToolState } from '../../state/view_types';
import { countChanges } from '../basic/diff_lines';
import { Icon, type IconName, toolIcon } from '../basic/icon';
import { useKept } from '../basic/kept_state';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { labelOf } from '../calls/tool_label';
import { summarizeCall } from '../calls/tool_summary';
import type { ReadResult } from '../result/read_result';
import { Elapsed } from './elapsed';
import { StopCall } from './stop_call';
import { useUndo } from './undo_part';

/** The words of schedules come from a large library. */
const JobSummary = lazy(async () => (await import('../../feature/jobs/job_summary')).JobSummary);

/** Loads the parts of an open card. */
export const loadToolDetails = async () => (await import('./tool_details')).ToolDetails;

const ToolDetails = lazy(loadToolDetails);

export interface ToolCardProps {
  item: ToolItem;
  /** The approval of the call, and how it ended. */
  asked?: { approval: ApprovalItem; outcome: ComponentChildren };
  clockOffsetMs: number;
  /** Reads a part of the whole result, which is longer than the displayed one. Rejects like the request. */
  onReadResult: ReadResult;
  /** Stops the running call. Never rejects. */
  onStop: () => Promise<void>;
  /** Called when the person opens or closes the card. */
  onToggle?: ((isOpen: boolean) => void) | undefined;
  /** Asks for details that the page has not loaded yet. */
  onNeedDetails: () => void;
  /** Undoes or redoes the file change of the call. Rejects with a RequestError when that is not possible. */
  onMove: (direction: Direction) => Promise<void>;
  /** Puts a message that the app of the call proposes into the message field. Returns false when the field has a text already. */
  onPropose: (text: string) => boolean;
}

/** Shows one tool call. The card is open while there is live output, or when an app shows the call, until the person opens or closes it. */
export const ToolCard = memo(
  ({ item, asked, clockOffsetMs, onStop, onToggle, onNeedDetails, onReadResult, onMove, onPropose }: ToolCardProps) => {
    const messages = useMessages();
    const [chosen, setChosen] = useKept<boolean | undefined>(item.id, undefined);
    const open = chosen ?? (appOf(item) !== undefined || (item.state === 'running' && item.output !== ''));
    const undo = useUndo(item.undo, onMove);
    return (
      <section class="tool-card" data-testid="tool-card" data-tool={item.name} data-state={isMiss(item) ? 'missed' : item.state}>
        <div class="tool-row">
          <button
            type="button"
            class="tool-head"
            aria-expanded={open}
            onClick={() => {
              setChosen(!open);
              onToggle?.(!open);
              if (!open && item.state === 'ended') onNeedDetails();
            }}
          >
            <span class="tool-icon">
              <Icon name={toolIcon(item.name)} />
            </span>
            <span class="tool-label">{labelOf(item, messages)}</span>
            <span class="tool-summary">
              {item.name === 'cron' ? <JobSummary args={item.args} /> : summarizeCall(item, messages.planProgress)}
            </span>
            {asked?.outcome}
            <ToolFacts item={item} isUndone={undo.isUndone} clockOffsetMs={clockOffsetMs} />
            <span class="chevron">
              <Icon name="chevron" />
            </span>
          </button>
          {item.state === 'running' && <StopCall label={labelOf(item, messages)} onStop={onStop} />}
        </div>
        {open && <ToolDetails item={item} approval={asked?.approval} undo={undo} onPropose={onPropose} onReadResult={onReadResult} />}
      </section>
    );
  },
);

const STATE_ICONS: Record<Exclude<ToolState, 'running'> | 'missed', IconName> = {
  missed: 'none',
  ok: 'check',
  ended: 'more',
  failed: 'alert',
  stopped: 'stop',
  denied: 'close',
  unknown: 'question',
};

function ToolFacts({ item, isUndone, clockOffsetMs }: { item: ToolItem; isUndone: boolean; clockOffsetMs: number }) {
  const messages = useMessages();
  const locale = useLocale();
  const state = isMiss(item) ? 'missed' : item.state;
  return (
    <span class="tool-facts">
      {isUndone && <span class="tag">{messages.undone}</span>}
      {typeof item.details?.['diff'] === 'string' && <DiffCount details={item.details} diff={item.details['diff']} />}
      {item.cached && <span class="tag">{messages.cached}</span>}
      {item.duplicate && <span class="tag">{messages.duplicate}</span>}
      {item.durationMs !== undefined && <span class="tool-duration">{formatDuration(item.durationMs, locale)}</span>}
      {item.state === 'running' && <Elapsed since={item.startedAt} clockOffsetMs={clockOffsetMs} />}
      <span class="tool-state" title={messages.toolState[state]}>
        {state === 'running' ? <span class="spinner" /> : <Icon name={STATE_ICONS[state]} />}
        <span class="visually-hidden">{messages.toolState[state]}</span>
      </span>
    </span>
  );
}

/** Counts the added and removed lines of a change, where the call did not: the diff may be clipped. */
const DiffCount = memo(({ details, diff }: { details: Record<string, unknown>; diff: string }) => {
  const counted = typeof details['added'] === 'number' ? details : countChanges(diff);
  const { added, removed } = counted as Record<string, unknown>;
  return (
    <span class="diff-count" data-testid="diff-count">
      <span class="plus">{`+${added}`}</span> <span class="minus">{`−${removed}`}</span>
    </span>
  );
});
