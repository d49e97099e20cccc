import type { ChatController } from '../../chat/chat_controller';
import { MemoryLine } from '../../feature/memory/memory_line';
import { readMemoryResult } from '../../feature/memory/memory_result';
import { formatCost, formatCount } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { approvalsOfMembers, countWaitingTasks, isOnTaskCard } from '../../state/delegations';
import { type DelegateItem, isActive, isOver, type PlainItem, type Turn, type TurnItem } from '../../state/view_types';
import { MarkdownView } from '../answer/markdown_view';
import { CopyButton } from '../basic/copy_button';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { ApprovalCard } from '../questions/approval_card';
import { ClarifyCard } from '../questions/clarify_card';
import { MessageImages } from './message_images';
import { CompactedLine, FallbackLine } from './model_lines';
import { ReasoningBlock } from './reasoning_block';
import { ToolCard, type ToolCardProps } from './tool_card';
import { TurnCut, TurnError } from './turn_problem';
import { useDetailsInView } from './use_details_in_view';

const CrewCards = lazy(async () => (await import('../../feature/crew/crew_cards')).CrewCards);

/** Tools whose call shows as a question. */
const ASKING: ReadonlySet<string> = new Set(['clarify', 'escalate']);

interface TurnViewProps {
  turn: Turn;
  /** True while another run has to end first. */
  isBehind: boolean;
  /** True while the message cannot leave the page. */
  isUnsent: boolean;
  /** True for the last turn, which offers the next steps. */
  isLast: boolean;
  clockOffsetMs: number;
  controller: ChatController;
}

/** Shows one message of a person and everything the agent did in response. */
export const TurnView = memo(({ turn, isBehind, isUnsent, isLast, clockOffsetMs, controller }: TurnViewProps) => {
  const messages = useMessages();
  const isWaiting = turn.state === 'sending' || turn.state === 'queued';
  const element = useDetailsInView(turn, controller);
  return (
    <article
      ref={element}
      class={isLast || !isOver(turn) ? 'turn' : 'turn settled'}
      data-testid="turn"
      data-state={turn.state}
      data-run-id={turn.runId}
    >
      <PersonMessage text={turn.input} images={turn.images} isWaiting={isWaiting && (isBehind || isUnsent)} />
      <WaitingNote turn={turn} isBehind={isBehind} isUnsent={isUnsent} controller={controller} />
      {turn.items.length > 0 && (
        <div class="answer" data-testid="answer">
          <span class="visually-hidden">{messages.agent}: </span>
          {groupItems(turn).map(item =>
            Array.isArray(item) ? (
              <CrewCards
                key={item[0].id}
                items={item}
                approvals={approvalsOfMembers(turn.items)}
                waitingTasks={item.at(-1) === turn.items.findLast(({ kind }) => kind === 'delegate') ? countWaitingTasks(turn.items) : 0}
                clockOffsetMs={clockOffsetMs}
                controller={controller}
                renderStep={(step, of) => (
                  <ItemView key={step.id} item={step} turn={of} clockOffsetMs={clockOffsetMs} controller={controller} />
                )}
              />
            ) : (
              <ItemView key={item.id} item={item} turn={turn} clockOffsetMs={clockOffsetMs} controller={controller} />
            ),
          )}
        </div>
      )}
      <Working turn={turn} isBehind={isBehind || isUnsent} />
      <TurnError turn={turn} isLast={isLast} controller={controller} />
      <TurnCut turn={turn} isLast={isLast} controller={controller} />
      {isLast && <QuickReplies turn={turn} controller={controller} />}
      {isOver(turn) && <TurnFooter turn={turn} />}
    </article>
  );
});

interface PersonMessageProps {
  text: string;
  images?: readonly string[] | undefined;
  isWaiting?: boolean;
}

function PersonMessage({ text, images, isWaiting = false }: PersonMessageProps) {
  const messages = useMessages();
  return (
    <>
      {images && <MessageImages images={images} />}
      <div class={isWaiting ? 'user-message waiting' : 'user-message'} data-testid="user-message">
        <span class="visually-hidden">{messages.you}: </span>
        {text}
      </div>
    </>
  );
}

/** Tasks that stand together are shown side by side. */
type DelegateGroup = [DelegateItem, ...DelegateItem[]];

/** Returns the visible items in order, with neighbouring delegated tasks as one group. */
function groupItems(turn: Turn): (PlainItem | DelegateGroup)[] {
  const grouped: (PlainItem | DelegateGroup)[] = [];
  for (const item of turn.items) {
    const last = grouped.at(-1);
    if (isRepeated(item, turn)) continue;
    if (item.kind !== 'delegate') grouped.push(item);
    else if (Array.isArray(last)) last.push(item);
    else grouped.push([item]);
  }
  return grouped;
}

/** Questions and delegated tasks have cards of their own; their tool calls would repeat them. */
function isRepeated(item: TurnItem, turn: Turn): boolean {
  if (isOnTaskCard(item, turn.items)) return true;
  const isQuestion = item.kind === 'tool' && ASKING.has(item.name) && item.state !== 'failed';
  return isQuestion && turn.items.some(other => other.kind === 'clarify');
}

interface ItemViewProps {
  item: PlainItem;
  turn: Turn;
  clockOffsetMs: number;
  controller: ChatController;
}

/** Shows one item of a turn. */
function ItemView({ item, turn, clockOffsetMs, controller }: ItemViewProps) {
  switch (item.kind) {
    case 'text':
      return <MarkdownView text={item.text} done={item.done} />;
    case 'said':
      return <PersonMessage text={item.text} />;
    case 'reasoning':
      return <ReasoningBlock item={item} />;
    case 'compacted':
      return <CompactedLine item={item} />;
    case 'fallback':
      return <FallbackLine item={item} isOpen={turn.items.at(-1) === item} controller={controller} />;
    case 'clarify':
      return <ClarifyCard item={item} clockOffsetMs={clockOffsetMs} onAnswer={controller.answer} onExtend={controller.extend} />;
    case 'approval':
      return (
        <ApprovalCard
          item={item}
          clockOffsetMs={clockOffsetMs}
          onDecide={controller.decide}
          onExtend={controller.extend}
          onTyping={controller.keepOpen}
        />
      );
    case 'tool':
      return (
        <ToolView
          item={item}
          onNeedDetails={() => turn.runId && controller.enrich(turn.runId)}
          onUndo={() => controller.undo(turn.runId, item.toolCallId)}
        />
      );
  }
}

/** Shows a tool call as a card, and a memory that it saved as a line. */
const ToolView = memo((props: ToolCardProps) => {
  const memory = readMemoryResult(props.item);
  return memory ? <MemoryLine result={memory} /> : <ToolCard {...props} />;
});

function WaitingNote({ turn, isBehind, isUnsent, controller }: Pick<TurnViewProps, 'turn' | 'isBehind' | 'isUnsent' | 'controller'>) {
  const messages = useMessages();
  const { runId } = turn;
  if (isUnsent) {
    return (
      <p class="turn-note" data-testid="unsent-note">
        <Icon name="clock" />
        {messages.waitsForGateway}
      </p>
    );
  }
  if (turn.state === 'sending' && isBehind) return <p class="turn-note">{messages.sending}</p>;
  if (turn.state !== 'queued' || !isBehind) return null;
  return (
    <p class="turn-note" data-testid="queued-note">
      <Icon name="clock" />
      {messages.queued}
      {runId && (
        <button type="button" class="link-button" onClick={() => void controller.stop(runId)}>
          {messages.takeBack}
        </button>
      )}
    </p>
  );
}

/** Shows that the agent works while nothing else on the page moves. */
function Working({ turn, isBehind }: Pick<TurnViewProps, 'turn' | 'isBehind'>) {
  const messages = useMessages();
  const last = turn.items.at(-1);
  const isStarting = (turn.state === 'sending' || turn.state === 'queued') && !isBehind;
  const isMoving =
    last !== undefined &&
    (((last.kind === 'text' || last.kind === 'reasoning') && !last.done) ||
      (last.kind === 'tool' && last.state === 'running') ||
      (last.kind === 'delegate' && last.state === 'open'));
  if (!isStarting && (turn.state !== 'running' || isMoving)) return null;
  return (
    <p class="working" data-testid="working">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="visually-hidden">{messages.working}</span>
    </p>
  );
}

/** Shows a question whose run could not wait for the answer. The next message answers it. */
function QuickReplies({ turn, controller }: Pick<TurnViewProps, 'turn' | 'controller'>) {
  const choices = turn.question?.choices;
  if (!choices || !isOver(turn)) return null;
  return (
    <div class="choices">
      {choices.map(choice => (
        <button key={choice} type="button" class="choice" onClick={() => controller.send(choice)}>
          {choice}
        </button>
      ))}
    </div>
  );
}

function TurnFooter({ turn }: { turn: Turn }) {
  const messages = useMessages();
  const locale = useLocale();
  const text = turn.items.flatMap(item => (item.kind === 'text' ? [item.text] : [])).join('\n\n');
  const { usage } = turn;
  const hasUsage = usage !== undefined && usage.inputTokens + usage.outputTokens > 0;
  return (
    <footer class="turn-footer" data-testid="turn-footer">
      {text && !isActive(turn) && <CopyButton text={() => text} label={messages.copyAnswer} />}
      {turn.state === 'cancelled' && <span data-testid="run-cancelled">{messages.runCancelled}</span>}
      {hasUsage && (
        <span data-testid="usage">
          {messages.usage(formatCount(usage.inputTokens, locale), formatCount(usage.outputTokens, locale))}
          {usage.costUsd ? ` · ${formatCost(usage.costUsd, locale)}` : ''}
        </span>
      )}
    </footer>
  );
}
