import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { usePeople } from '../../state/people_context';
import { useScope } from '../../state/scope_context';
import { isActive, isImported, isOver, type Turn } from '../../state/view_types';
import { CopyButton } from '../basic/copy_button';
import { Icon } from '../basic/icon';
import { KeptPart } from '../basic/kept_state';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { MessageArea, NextActions } from './message_area';
import { PersonMessage } from './person_message';
import { TurnItems } from './turn_items';
import { TurnCut, TurnError } from './turn_problem';
import { ChatTotal, TurnReceipt } from './turn_receipt';
import { useDetailsInView } from './use_details_in_view';

/** Keeps the place of the two buttons while their code loads. */
const FeedbackButtons = lazy(
  async () => (await import('../../feature/feedback/feedback_buttons')).FeedbackButtons,
  () => <i class="rating-place" />,
);

const ReadButton = lazy(async () => (await import('../../feature/voice/read_button')).ReadButton);

interface TurnViewProps {
  turn: Turn;
  /** Number of the turn among the loaded ones, from 1, and how many there are; -1 while there are earlier ones to load. */
  position: number;
  total: number;
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
export const TurnView = memo(({ turn, position, total, isBehind, isUnsent, isLast, clockOffsetMs, controller }: TurnViewProps) => {
  const isWaiting = turn.state === 'sending' || turn.state === 'queued';
  const element = useDetailsInView(turn, controller);
  const { own } = usePeople();
  return (
    <article
      ref={element}
      class={isLast || !isOver(turn) ? 'turn' : 'turn settled'}
      data-testid="turn"
      data-state={turn.state}
      data-run-id={turn.runId}
      aria-posinset={position}
      aria-setsize={total}
    >
      <KeptPart id={turn.key}>
        {(turn.input !== '' || turn.images) && (
          <MessageArea turn={turn} controller={controller}>
            <PersonMessage
              text={turn.input}
              images={turn.images}
              files={turn.files}
              isWaiting={isWaiting && (isBehind || isUnsent)}
              by={turn.by ?? (turn.clientMessageId && own)}
            />
          </MessageArea>
        )}
        <WaitingNote turn={turn} isBehind={isBehind} isUnsent={isUnsent} controller={controller} />
        {turn.items.length > 0 && <TurnItems turn={turn} clockOffsetMs={clockOffsetMs} controller={controller} />}
        <Working turn={turn} isBehind={isBehind || isUnsent} />
        <SteeringMessages turn={turn} />
        <TurnError turn={turn} isLast={isLast} controller={controller} />
        <TurnCut turn={turn} isLast={isLast} controller={controller} />
        {isLast && <QuickReplies turn={turn} controller={controller} />}
        {isOver(turn) && <TurnFooter turn={turn} isLast={isLast} controller={controller} />}
        {isLast && isOver(turn) && <ChatTotal controller={controller} />}
      </KeptPart>
    </article>
  );
});

function WaitingNote({ turn, isBehind, isUnsent, controller }: Pick<TurnViewProps, 'turn' | 'isBehind' | 'isUnsent' | 'controller'>) {
  const messages = useMessages();
  const canChat = useScope('chat');
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
      {runId && canChat && (
        <button type="button" class="link-button" onClick={() => void controller.stop(runId)}>
          {messages.takeBack}
        </button>
      )}
    </p>
  );
}

/** Shows messages that the agent has not read yet. */
function SteeringMessages({ turn }: Pick<TurnViewProps, 'turn'>) {
  const messages = useMessages();
  const { own } = usePeople();
  return (
    <>
      {turn.steering?.map((text, index) => (
        <div key={index} class="steering" data-testid="steering">
          <PersonMessage text={text} isWaiting={true} by={own} />
          <p class="turn-note">
            <Icon name="clock" />
            {messages.steeringWaits}
          </p>
        </div>
      ))}
    </>
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
  const canChat = useScope('chat');
  if (!choices || !isOver(turn) || !canChat) return null;
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

function TurnFooter({ turn, isLast, controller }: Pick<TurnViewProps, 'turn' | 'isLast' | 'controller'>) {
  const messages = useMessages();
  const mayRate = useScope('rate');
  const { runId } = turn;
  const text = turn.items.flatMap(item => (item.kind === 'text' ? [item.text] : [])).join('\n\n');
  return (
    <footer class="turn-footer" data-testid="turn-footer">
      {text && !isActive(turn) && <CopyButton text={() => text} label={messages.copyAnswer} />}
      {text && mayRate && runId && !isImported(runId) && <FeedbackButtons runId={runId} controller={controller} />}
      <NextActions turn={turn} isLast={isLast} controller={controller} />
      {text && !isActive(turn) && 'speechSynthesis' in window && <ReadButton turn={turn} controller={controller} />}
      {turn.state === 'cancelled' && <Stopped by={turn.stoppedBy} />}
      <TurnReceipt turn={turn} controller={controller} />
    </footer>
  );
}

/** Says that the run was stopped, and by whom when another one did. */
function Stopped({ by }: { by: string | undefined }) {
  const messages = useMessages();
  const { own, nameOf } = usePeople();
  const isByOther = by !== undefined && by !== own;
  return <span data-testid="run-cancelled">{isByOther ? messages.runStoppedBy(nameOf(by)) : messages.runCancelled}</span>;
}
