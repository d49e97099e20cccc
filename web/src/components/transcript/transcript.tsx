import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { isAsking } from '../../state/app_state';
import type { SessionView } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { EmptyState } from './empty_state';
import { TurnList } from './turn_list';
import { useReveal } from './use_reveal';

/** A scroll position within this distance of the end counts as the end. Pixels. */
const END_ZONE = 60;

export function Transcript({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const view = useStore(controller.store, state => state.view);
  const phase = useStore(controller.store, state => state.phase);
  const sessionId = useStore(controller.store, state => state.sessionId);
  const isWaiting = useStore(controller.store, isAsking);
  const { scroller, content, following, isAtEnd, jump, stay } = useFollowing(view);
  // Scroll to the end when the person sends a message, wherever they were.
  const ownMessages = view.turns.filter(turn => turn.clientMessageId).length;
  useLayoutEffect(jump, [ownMessages, sessionId]);
  useReveal(controller.store, scroller, stay);

  return (
    <div class="transcript-frame">
      <div class="transcript" ref={scroller} data-testid="transcript">
        <div class="column" ref={content} role="log" aria-live="off" aria-label={messages.conversation} aria-busy={phase === 'loading'}>
          {phase === 'missing' && <MissingSession controller={controller} />}
          {phase === 'failed' && <p class="session-note">{messages.sessionFailed}</p>}
          {phase === 'loading' && view.turns.length === 0 && <Skeleton label={messages.loading} />}
          {phase === 'ready' && view.turns.length === 0 && <EmptyState controller={controller} />}
          <EarlierTurns controller={controller} />
          <TurnList view={view} scroller={scroller} isFollowing={following} controller={controller} />
        </div>
      </div>
      {!isAtEnd && (
        <button
          type="button"
          class={isWaiting ? 'jump-button asking' : 'jump-button'}
          data-testid="jump-to-latest"
          onClick={() => {
            jump();
            if (isWaiting) content.current?.querySelector('.clarify-card[data-status="pending"]')?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <Icon name={isWaiting ? 'question' : 'down'} />
          {isWaiting ? messages.questionNeedsYou : messages.jumpToLatest}
        </button>
      )}
    </div>
  );
}

/** Offers the turns before the first one on the page. */
function EarlierTurns({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const hasEarlier = useStore(controller.store, state => state.hasEarlierTurns);
  const [isLoading, setIsLoading] = useState(false);
  if (!hasEarlier) return null;
  const load = async () => {
    setIsLoading(true);
    await controller.loadEarlier();
    setIsLoading(false);
  };
  return (
    <button type="button" class="link-button show-earlier" data-testid="show-earlier" disabled={isLoading} onClick={() => void load()}>
      {messages.showEarlier}
    </button>
  );
}

function MissingSession({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const isClosed = useStore(controller.store, ({ sessionId, closedId }) => sessionId === closedId);
  return (
    <div class="session-note" role="status" data-testid="session-missing">
      <p>{isClosed ? messages.sessionClosed : messages.sessionMissing}</p>
      <button type="button" class="button primary" data-testid="start-over" onClick={() => controller.open(undefined)}>
        {messages.startNewChat}
      </button>
    </div>
  );
}

/** Keeps the end visible while the person is there; does not scroll while they read further up. */
function useFollowing(view: SessionView) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const follow = () => {
    const element = scroller.current;
    if (element && following.current) element.scrollTop = element.scrollHeight;
  };
  const jump = () => {
    following.current = true;
    setIsAtEnd(true);
    follow();
  };
  /** Stops following the end, because something above it is shown. */
  const stay = () => {
    following.current = false;
  };
  useLayoutEffect(follow, [view]);
  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    let lastTop = element.scrollTop;
    const onScroll = () => {
      const fromEnd = element.scrollHeight - element.clientHeight - element.scrollTop;
      // Only scrolling up leaves the end, because growing text increases the distance, too.
      if (fromEnd < END_ZONE) following.current = true;
      else if (element.scrollTop < lastTop - 1) following.current = false;
      lastTop = element.scrollTop;
      setIsAtEnd(following.current || fromEnd < END_ZONE);
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  return { scroller, content, following, isAtEnd, jump, stay };
}

function Skeleton({ label }: { label: string }) {
  return (
    <div class="skeleton" data-testid="loading">
      <span class="visually-hidden">{label}</span>
      <i class="right" />
      <i />
      <i />
      <i class="short" />
    </div>
  );
}
