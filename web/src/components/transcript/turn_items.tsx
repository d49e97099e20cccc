import type { ChatController } from '../../chat/chat_controller';
import { proposeMessage } from '../../chat/insert_prompt';
import { MemoryLine } from '../../feature/memory/memory_line';
import { readMemoryResult } from '../../feature/memory/memory_result';
import { useMessages } from '../../i18n/language_context';
import { callOf, wasAsked } from '../../state/approvals';
import { approvalsOfMembers, countWaitingTasks } from '../../state/delegations';
import { groupItems } from '../../state/turn_groups';
import type { ApprovalItem, PlainItem, ToolItem, Turn } from '../../state/view_types';
import { MarkdownView } from '../answer/markdown_view';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { ApprovalCard } from '../questions/approval_card';
import { ClarifyCard, type ClarifyCardProps } from '../questions/clarify_card';
import { focusComposer } from '../questions/use_asking_card';
import { ActivityFold } from './activity_fold';
import { CompactedLine, FallbackLine, FileNoticeLine } from './model_lines';
import { PersonMessage } from './person_message';
import { ReasoningBlock } from './reasoning_block';
import { ToolCard, type ToolCardProps } from './tool_card';

const QuestionForm = lazy(async () => (await import('../questions/question_form')).QuestionForm);
const CrewCards = lazy(async () => (await import('../../feature/crew/crew_cards')).CrewCards);

interface TurnItemsProps {
  turn: Turn;
  clockOffsetMs: number;
  controller: ChatController;
}

/** Shows everything that the agent did in a turn, in order. */
export function TurnItems({ turn, clockOffsetMs, controller }: TurnItemsProps) {
  const messages = useMessages();
  return (
    <div class="answer" data-testid="answer">
      <span class="visually-hidden">{messages.agent}: </span>
      {groupItems(turn).map(item =>
        item.kind === 'crew' ? (
          <CrewCards
            key={item.items[0].id}
            items={item.items}
            approvals={approvalsOfMembers(turn.items)}
            waitingTasks={item.items.at(-1) === turn.items.findLast(({ kind }) => kind === 'delegate') ? countWaitingTasks(turn.items) : 0}
            clockOffsetMs={clockOffsetMs}
            controller={controller}
            renderStep={(step, of) => (
              <ItemView key={step.id} item={step} turn={of} clockOffsetMs={clockOffsetMs} controller={controller} />
            )}
          />
        ) : item.kind === 'questions' ? (
          <QuestionForm
            key={item.items[0].id}
            items={item.items}
            clockOffsetMs={clockOffsetMs}
            {...questionActions(controller)}
            onTyping={controller.keepOpen}
          />
        ) : item.kind === 'activity' ? (
          <ActivityFold
            key={item.items[0].id}
            group={item}
            clockOffsetMs={clockOffsetMs}
            onStop={toolCallId => controller.calls.stop(turn.runId, toolCallId)}
            renderItem={(step, onToggle) => (
              <ItemView key={step.id} item={step} turn={turn} clockOffsetMs={clockOffsetMs} controller={controller} onToggle={onToggle} />
            )}
          />
        ) : (
          <ItemView key={item.id} item={item} turn={turn} clockOffsetMs={clockOffsetMs} controller={controller} />
        ),
      )}
    </div>
  );
}

interface ItemViewProps {
  item: PlainItem;
  turn: Turn;
  clockOffsetMs: number;
  controller: ChatController;
  /** Called when the person opens or closes the card of a call. */
  onToggle?: (isOpen: boolean) => void;
}

/** Shows one item of a turn. */
function ItemView({ item, turn, clockOffsetMs, controller, onToggle }: ItemViewProps) {
  switch (item.kind) {
    case 'text':
      return <MarkdownView text={item.text} done={item.done} />;
    case 'said':
      return <PersonMessage text={item.text} by={item.by} />;
    case 'reasoning':
      return <ReasoningBlock item={item} />;
    case 'compacted':
      return <CompactedLine item={item} />;
    case 'file_notice':
      return <FileNoticeLine item={item} />;
    case 'fallback':
      return <FallbackLine item={item} isOpen={turn.items.at(-1) === item} controller={controller} />;
    case 'clarify':
      return <ClarifyCard item={item} clockOffsetMs={clockOffsetMs} {...questionActions(controller)} />;
    case 'approval':
      return <AskedCall item={item} turn={turn} clockOffsetMs={clockOffsetMs} controller={controller} />;
    case 'tool':
      return wasAsked(item, turn.items) ? null : <ToolView {...toolProps(item, { turn, clockOffsetMs, controller })} onToggle={onToggle} />;
  }
}

interface AskedCallProps extends TurnItemsProps {
  item: ApprovalItem;
}

/** Shows an approval, and after the decision the call in its place. */
function AskedCall({ item, turn, clockOffsetMs, controller }: AskedCallProps) {
  const call = callOf(item, turn.items);
  return (
    <ApprovalCard
      item={item}
      clockOffsetMs={clockOffsetMs}
      onDecide={controller.decide}
      onExtend={controller.extend}
      onTyping={controller.keepOpen}
      renderCall={
        call && (outcome => <ToolCard {...toolProps(call, { turn, clockOffsetMs, controller })} asked={{ approval: item, outcome }} />)
      }
    />
  );
}

const questionActions = (controller: ChatController): Pick<ClarifyCardProps, 'onAnswer' | 'onExtend' | 'onAnswerLate'> => ({
  onAnswer: controller.answer,
  onExtend: controller.extend,
  onAnswerLate: target => {
    controller.setDraft({ text: controller.store.get().draft.text, target });
    focusComposer();
  },
});

const toolProps = (item: ToolItem, { turn: { runId }, clockOffsetMs, controller }: TurnItemsProps): ToolCardProps => ({
  item,
  clockOffsetMs,
  onStop: () => controller.calls.stop(runId, item.toolCallId),
  onReadResult: query => controller.calls.readResult(runId, item.toolCallId, query),
  onNeedDetails: () => runId && controller.enrich(runId),
  onPropose: text => proposeMessage(controller, text),
  onMove: direction => controller.calls.moveChange(direction, runId, item.toolCallId),
});

/** Shows a tool call as a card, and a memory that it saved as a line. */
const ToolView = memo((props: ToolCardProps) => {
  const memory = readMemoryResult(props.item);
  return memory ? <MemoryLine result={memory} /> : <ToolCard {...props} />;
});
