import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatSpan } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { isMiss } from '../../state/activity';
import type { ToolItem, ToolState } from '../../state/view_types';
import { DiffView } from '../basic/diff_view';
import { Icon, type IconName, toolIcon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { labelOf } from '../calls/tool_label';
import { formatArguments, summarizeCall } from '../calls/tool_summary';
import { CallArguments } from '../questions/call_arguments';
import { type Undo, UndoPart, useUndo } from './undo_part';

/** The words of schedules come from a large library. */
const JobSummary = lazy(async () => (await import('../../feature/jobs/job_summary')).JobSummary);

export interface ToolCardProps {
  item: ToolItem;
  /** Asks for details that the page has not loaded yet. */
  onNeedDetails: () => void;
  /** Undoes the file change of the call. Rejects with a RequestError when that is not possible. */
  onUndo: () => Promise<void>;
}

/** Shows one tool call. The card is open while there is live output, then closed, until the person opens or closes it. */
export const ToolCard = memo(({ item, onNeedDetails, onUndo }: ToolCardProps) => {
  const messages = useMessages();
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? (item.state === 'running' && item.output !== '');
  const undo = useUndo(item.undo, onUndo);
  return (
    <section class="tool-card" data-testid="tool-card" data-tool={item.name} data-state={isMiss(item) ? 'missed' : item.state}>
      <button
        type="button"
        class="tool-head"
        aria-expanded={open}
        onClick={() => {
          setChosen(!open);
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
        <ToolFacts item={item} isUndone={undo.state === 'undone'} />
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </button>
      {open && <ToolDetails item={item} undo={undo} />}
    </section>
  );
});

const STATE_ICONS: Record<Exclude<ToolState, 'running'> | 'missed', IconName> = {
  missed: 'none',
  ok: 'check',
  ended: 'check',
  failed: 'alert',
  stopped: 'stop',
  denied: 'close',
  unknown: 'question',
};

function ToolFacts({ item, isUndone }: { item: ToolItem; isUndone: boolean }) {
  const messages = useMessages();
  const locale = useLocale();
  const state = isMiss(item) ? 'missed' : item.state;
  return (
    <span class="tool-facts">
      {isUndone && <span class="tag">{messages.undone}</span>}
      {item.cached && <span class="tag">{messages.cached}</span>}
      {item.duplicate && <span class="tag">{messages.duplicate}</span>}
      {item.durationMs !== undefined && <span class="tool-duration">{formatSpan(item.durationMs, locale)}</span>}
      <span class="tool-state" title={messages.toolState[state]}>
        {state === 'running' ? <span class="spinner" /> : <Icon name={STATE_ICONS[state]} />}
        <span class="visually-hidden">{messages.toolState[state]}</span>
      </span>
    </span>
  );
}

function ToolDetails({ item, undo }: { item: ToolItem; undo: Undo }) {
  const messages = useMessages();
  const diff = typeof item.details?.['diff'] === 'string' ? item.details['diff'] : undefined;
  const strategy = typeof item.details?.['strategy'] === 'string' ? item.details['strategy'] : undefined;
  const exitCode = typeof item.details?.['exitCode'] === 'number' ? item.details['exitCode'] : undefined;
  const isRunning = item.state === 'running';
  return (
    <div class="tool-details">
      <div class="tool-name">
        <code>{item.name}</code>
        {strategy && <span class="tag">{messages.strategy(strategy)}</span>}
        {exitCode !== undefined && <span class="tag">{messages.exitCode(exitCode)}</span>}
      </div>
      {diff ? (
        <Part title={messages.changes}>
          <DiffView diff={diff} />
        </Part>
      ) : (
        <Part title={messages.arguments}>
          {item.name === 'cron' ? <CallArguments tool={item.name} args={item.args} /> : <OutputBox text={formatArguments(item.args)} />}
        </Part>
      )}
      {isRunning ? (
        <Part title={messages.output}>
          <OutputBox text={item.output || messages.noOutput} follow />
        </Part>
      ) : (
        item.result !== undefined &&
        (!diff || item.state === 'failed') && (
          <Part title={messages.result}>
            <OutputBox text={item.result} testId="tool-result" />
          </Part>
        )
      )}
      {item.details?.['undoable'] === true && <UndoPart undo={undo} />}
    </div>
  );
}

function Part({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return (
    <div class="tool-part">
      <h4>{title}</h4>
      {children}
    </div>
  );
}

/** Shows text in a box that scrolls. With `follow`, the end stays visible while the text grows. */
function OutputBox({ text, follow, testId }: { text: string; follow?: boolean; testId?: string }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, follow]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre class="output" ref={box} tabIndex={0} data-testid={testId}>
      {text}
    </pre>
  );
}
