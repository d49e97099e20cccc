import type { RefObject } from 'preact';
import type { ChatController } from '../../chat/chat_controller';
import { useStore } from '../../platform/store';
import { findActiveTurn, isOver, type SessionView } from '../../state/view_types';
import { TurnView } from './turn_view';
import { useTurnWindow } from './use_turn_window';
import { useWholeChat } from './use_whole_chat';

interface TurnListProps {
  view: SessionView;
  scroller: RefObject<HTMLElement>;
  /** True while the end stays in view. */
  isFollowing: RefObject<boolean>;
  controller: ChatController;
}

/** Shows the turns near the view. Gaps stand for the others; a turn that is in use or still open stays. */
export function TurnList({ view: { turns }, scroller, isFollowing, controller }: TurnListProps) {
  const { store } = controller;
  const clockOffsetMs = useStore(store, state => state.clockOffsetMs);
  const isOnline = useStore(store, state => state.connection === 'online');
  const hasEarlier = useStore(store, state => state.hasEarlierTurns);
  const revealedRunId = useStore(store, state => state.revealed?.runId);
  const isWhole = useWholeChat(useStore(store, state => state.sessionId));
  const { list, rows } = useTurnWindow({
    turns,
    scroller,
    isFollowing,
    isKept: (turn, index) =>
      isWhole || index === turns.length - 1 || !isOver(turn) || (revealedRunId !== undefined && turn.runId === revealedRunId),
  });
  const active = findActiveTurn({ turns });
  const firstOpen = turns.find(turn => !isOver(turn) && turn.state !== 'unsent');
  return (
    <div class={isWhole ? 'turns whole' : 'turns'} ref={list}>
      {rows.map(({ first, gapHeight }) => {
        const turn = turns[first];
        if (!turn) return null;
        if (gapHeight !== undefined) return <div key={`gap ${turn.key}`} style={{ height: gapHeight }} aria-hidden="true" />;
        return (
          <TurnView
            key={turn.key}
            turn={turn}
            position={first + 1}
            total={hasEarlier ? -1 : turns.length}
            isBehind={(active ?? firstOpen) !== turn}
            isUnsent={!isOnline && turn.state === 'sending'}
            isLast={first === turns.length - 1}
            clockOffsetMs={clockOffsetMs}
            controller={controller}
          />
        );
      })}
    </div>
  );
}
