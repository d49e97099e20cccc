import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import type { OnBusy } from '../../connection/protocol';
import { useMessages } from '../../i18n/language_context';
import { fitsMessage } from '../../images/image_limits';
import { type Draft, EMPTY_DRAFT, isAnswerTo, typeInto } from '../../platform/drafts';
import { hasKeyboard } from '../../platform/has_keyboard';
import { isSendKey, nameSendKey } from '../../platform/send_key';
import { useStore } from '../../platform/store';
import { findModel, isReadingFiles } from '../../state/app_state';
import { isPerson } from '../../state/chat_people';
import { usePeople } from '../../state/people_context';
import { useScope } from '../../state/scope_context';
import { type ClarifyItem, findActiveTurn, findOpenQuestion, isOver, listOpenQuestions, type TurnItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { useFileDrop } from '../basic/use_file_drop';
import { BusyChoice, busyKeyOf } from './busy_choice';
import { AttachButton, ComposerImages, pastedFiles } from './composer_images';
import { ComposerPurpose } from './composer_purpose';
import { messageOf } from './late_answer';
import { MENTION_LIST, MentionList, mentionRowId } from './mention_list';
import { useCommands } from './use_commands';
import { useMention } from './use_mention';
import { VoicePart } from './voice_part';

/** Characters that the gateway accepts in one message. */
const MAX_LENGTH = 200_000;
/** Keys that move the cursor and change no text. */
const CURSOR_KEYS: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** The one message field. While a question waits, the text answers it. */
export function Composer({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const { store } = controller;
  const activeRunId = useStore(store, state => findActiveTurn(state.view)?.runId);
  const phase = useStore(store, state => state.phase);
  const draft = useStore(store, state => state.draft);
  const question = useStore(store, state => findOpenQuestion(state.view));
  const isDeciding = useStore(store, state => findActiveTurn(state.view)?.items.some(isOpenApproval) ?? false);
  const isFilling = useStore(store, state => listOpenQuestions(state.view).length > 1);
  const field = useRef<HTMLTextAreaElement>(null);
  const answering = question && isAnswerTo(draft, question.requestId) ? question : undefined;
  const canChat = useScope('chat');
  const { part } = usePeople();
  const isOpen = phase !== 'missing' && phase !== 'failed';
  const isUsable = isOpen && (canChat || (part === 'approver' && question !== undefined));
  const isReading = useStore(store, isReadingFiles);
  const { send, isSending, problem } = useSending(controller, draft, answering);
  const canSend =
    isUsable && (canChat || answering !== undefined) && draft.text.trim() !== '' && !isSending && (!isReading || answering !== undefined);
  const isBehindView = useStore(store, state => state.openView !== undefined);
  const isDropping = useFileDrop(controller.attach, isUsable && canChat && !isBehindView);
  const isBusy = activeRunId !== undefined && !answering;
  const submit = (event: Event, onBusy?: OnBusy) => {
    event.preventDefault();
    if (!canSend) return;
    void send(isBusy ? onBusy : undefined);
    field.current?.focus({ preventScroll: true });
  };
  const action = answering ? messages.answer : isBusy ? messages.queueTitle : messages.send;
  return (
    <div class="composer-area">
      <People controller={controller} />
      <form
        class={['composer', !isUsable && 'unusable', isDropping && 'dropping'].filter(Boolean).join(' ')}
        onSubmit={event => submit(event)}
      >
        <ComposerPurpose controller={controller} question={question} isAnswer={answering !== undefined} field={field} />
        <ComposerImages controller={controller} isAnswer={answering !== undefined} />
        <div class="composer-row">
          <AttachButton controller={controller} isUsable={isUsable && canChat} />
          <MessageField
            field={field}
            controller={controller}
            purpose={{ answering, isUsable, canChat, isBusy: activeRunId !== undefined, isDeciding, isFilling }}
            isReadOnly={isSending}
            onSubmit={submit}
          />
          {canChat && <StopButton controller={controller} runId={activeRunId} />}
          <VoicePart controller={controller} isUsable={isUsable} field={field} />
          {(activeRunId === undefined || draft.text !== '') && (
            <button type="submit" class="send-button" aria-label={action} title={action} disabled={!canSend} data-testid="send">
              <Icon name="send" />
            </button>
          )}
        </div>
      </form>
      {isBusy && canSend && <BusyChoice controller={controller} onChoose={submit} />}
      {problem && (
        <p class="form-error" role="alert" data-testid="send-problem">
          {messages[problem]}
        </p>
      )}
      {isUsable && <ComposerHint controller={controller} isAnswer={answering !== undefined} />}
    </div>
  );
}

const ComposerPeople = lazy(async () => (await import('../../feature/chat/composer_people')).ComposerPeople);

function People({ controller }: { controller: ChatController }) {
  return useStore(controller.store, isPerson) ? <ComposerPeople controller={controller} /> : null;
}

interface MessageFieldProps {
  field: { current: HTMLTextAreaElement | null };
  controller: ChatController;
  purpose: Purpose;
  isReadOnly: boolean;
  onSubmit: (event: Event, onBusy?: OnBusy) => void;
}

function MessageField({ field, controller, purpose, isReadOnly, onSubmit }: MessageFieldProps) {
  const messages = useMessages();
  const { store } = controller;
  const draft = useStore(store, state => state.draft);
  const sessionId = useStore(store, state => state.sessionId);
  const questionId = useStore(store, state => findOpenQuestion(state.view)?.requestId);
  const hasImages = useStore(store, state => state.images.length > 0);
  const sendKey = useStore(controller.preferences, state => state.sendKey);
  const canBranch = useScope('branch');
  const mention = useMention(field, controller);
  const commands = useCommands(controller, draft.text);
  useGrowing(field, draft.text);
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, [sessionId]);
  return (
    <>
      <MentionList mention={mention} />
      {commands.list}
      <textarea
        id="composer"
        ref={field}
        rows={1}
        value={draft.text}
        maxLength={MAX_LENGTH}
        disabled={!purpose.isUsable}
        readOnly={isReadOnly}
        aria-label={purpose.answering ? messages.answerLabel : messages.composerLabel}
        placeholder={placeholderOf(purpose, hasImages, messages)}
        data-testid="composer"
        aria-autocomplete="list"
        aria-controls={mention.rows.length > 0 ? MENTION_LIST : commands.listId}
        aria-activedescendant={mention.rows.length > 0 ? mentionRowId(mention.chosen) : commands.activeId}
        onInput={event => {
          controller.setDraft(typeInto(draft, event.currentTarget.value, questionId));
          mention.follow(event.currentTarget);
          if (!purpose.answering) commands.follow(event.currentTarget.value);
        }}
        onPaste={event => {
          const files = pastedFiles(event);
          if (files.length === 0) return;
          event.preventDefault();
          controller.attach(files);
        }}
        onKeyDown={event => {
          // An input method uses Enter and Escape for its own candidates; older browsers report key code 229 then.
          if (event.isComposing || event.keyCode === 229) return;
          if (mention.onKeyDown(event) || commands.onKeyDown(event)) return;
          if (event.key === 'ArrowUp' && draft.text === '' && canBranch && !purpose.answering && editLast(controller))
            return event.preventDefault();
          const busyKey = purpose.isBusy && !purpose.answering ? busyKeyOf(event, sendKey) : undefined;
          if (busyKey || isSendKey(event, sendKey)) onSubmit(event, busyKey);
        }}
        onKeyUp={event => CURSOR_KEYS.has(event.key) && mention.follow(event.currentTarget)}
        onClick={event => mention.follow(event.currentTarget)}
        onBlur={() => {
          mention.close();
          commands.close();
        }}
      />
    </>
  );
}

/** Opens the last message whose run has ended for editing. Returns false when there is none. */
function editLast(controller: ChatController): boolean {
  const runId = controller.store.get().view.turns.findLast(turn => isOver(turn) && turn.runId !== undefined)?.runId;
  if (runId === undefined) return false;
  controller.edit(runId);
  return true;
}

/** Sends the draft as an answer or a message. An answer that comes too late stays in the field. */
function useSending(controller: ChatController, draft: Draft, answering: ClarifyItem | undefined) {
  const messages = useMessages();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<'requestFailed' | 'messageTooLong'>();
  const send = async (onBusy?: OnBusy) => {
    const text = answering ? draft.text.trim() : messageOf(draft, controller.store.get().view, messages);
    setProblem(undefined);
    if (!answering) {
      const images = controller.store.get().images.map(({ src }) => src);
      if (images.length > 0 && !fitsMessage(text, images)) return setProblem('messageTooLong');
      controller.setDraft(EMPTY_DRAFT);
      controller.images.clear();
      controller.send(text, images, images.length > 0 && onBusy === 'steer' ? undefined : onBusy);
      return;
    }
    setSending(true);
    try {
      const { sessionId } = controller.store.get();
      const counts = await controller.answer(answering.requestId, text);
      if (counts) controller.clearDraft(sessionId);
    } catch {
      setProblem('requestFailed');
    } finally {
      setSending(false);
    }
  };
  return { send, isSending, problem };
}

function StopButton({ controller, runId }: { controller: ChatController; runId: string | undefined }) {
  const messages = useMessages();
  const isStopping = useStore(controller.store, state => state.stoppingRunId === runId);
  if (runId === undefined) return null;
  return (
    <button
      type="button"
      class="button stop"
      data-testid="stop"
      aria-label={messages.stop}
      disabled={isStopping}
      onClick={() => {
        void controller.stop(runId);
        // The button goes away with the run and would take the focus with it.
        if (hasKeyboard()) document.getElementById('composer')?.focus({ preventScroll: true });
      }}
    >
      <Icon name="stop" />
      <span>{isStopping ? messages.stopping : messages.stop}</span>
    </button>
  );
}

const RunPrice = lazy(async () => (await import('./run_price')).RunPrice);

function ComposerHint({ controller, isAnswer }: { controller: ChatController; isAnswer: boolean }) {
  const messages = useMessages();
  const isBusy = useStore(controller.store, state => findActiveTurn(state.view) !== undefined);
  const isArmed = useStore(controller.store, state => state.isStopArmed);
  const isPriced = useStore(controller.store, state => findModel(state)?.price !== undefined);
  const sendKey = useStore(controller.preferences, state => state.sendKey);
  const newLineKey = sendKey === 'enter' ? 'Shift + Enter' : 'Enter';
  const hint = isAnswer ? messages.answerHint : isBusy ? messages.composerBusyHint : messages.composerHint;
  return (
    <p class={isArmed ? 'composer-hint armed' : 'composer-hint'} data-testid="composer-hint">
      {/* Only this part is news to a screen reader. */}
      <span role="status">{isArmed && messages.escapeAgain}</span>
      {!isArmed && hint(nameSendKey(sendKey), newLineKey)}
      {isPriced && !isArmed && !isAnswer && <RunPrice controller={controller} />}
    </p>
  );
}

/** Decides what the text in the field is for. */
interface Purpose {
  answering: ClarifyItem | undefined;
  isUsable: boolean;
  /** The text may be a message; otherwise it only answers. */
  canChat: boolean;
  isBusy: boolean;
  /** An approval waits; the text is no part of the decision. */
  isDeciding: boolean;
  /** Several questions wait; their form has fields of its own. */
  isFilling: boolean;
}

const isOpenApproval = (item: TurnItem): boolean => item.kind === 'approval' && item.status === 'pending';

function placeholderOf(
  { answering, isUsable, isBusy, isDeciding, isFilling }: Purpose,
  hasImages: boolean,
  messages: ReturnType<typeof useMessages>,
): string {
  if (!isUsable) return '';
  if (answering) return messages.answerPlaceholder;
  if (isDeciding) return messages.composerDecidingPlaceholder;
  if (isFilling) return messages.composerFillingPlaceholder;
  if (hasImages) return messages.imagesPlaceholder;
  return isBusy ? messages.composerBusyPlaceholder : messages.composerPlaceholder;
}

/** Makes the field as high as its text; the style sheet sets the limit. */
function useGrowing(field: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
}
