/** Keeps the turns near the view in the document, and the text that the person reads in its place. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { Turn } from '../../state/view_types';
import { ShownTurns } from './shown_turns';
import { findTurnsInView, type Row, toRows } from './turn_window';

/** The rows are chosen again when a turn within this margin is not in the document. In heights of the view. */
const LEAST_MARGIN = 1;
/** Then all turns within this margin get into the document. */
const MARGIN = 2;

interface WindowOptions {
  turns: readonly Turn[];
  scroller: RefObject<HTMLElement>;
  /** True while the end stays in view. */
  isFollowing: RefObject<boolean>;
  /** Returns true for a turn that stays in the document wherever the view is. */
  isKept: (turn: Turn, index: number) => boolean;
}

interface TurnWindow {
  list: RefObject<HTMLDivElement>;
  rows: readonly Row[];
}

/** Returns the rows to show, in order, as the children of the element `list`. */
export function useTurnWindow({ turns, scroller, isFollowing, isKept }: WindowOptions): TurnWindow {
  const list = useRef<HTMLDivElement>(null);
  const shownTurns = useRef<ShownTurns>();
  shownTurns.current ??= new ShownTurns(list, scroller);
  const { current: shown } = shownTurns;
  const [, chooseAgain] = useReducer<number, void>(count => count + 1, 0);

  // Measured before the document changes.
  const place = shown.findKeptPlace(turns);
  const used = shown.findUsed();
  const measured = shown.measured(turns);
  const near = findTurnsInView(measured, shown.toPlace(turns, place), shown.viewSize(MARGIN));
  const rows = toRows(measured, index => {
    const turn = turns[index];
    return (index >= near.first && index <= near.last) || (turn !== undefined && (used.has(turn.key) || isKept(turn, index)));
  });

  useLayoutEffect(() => {
    shown.setRows(rows, turns);
    // Whoever follows the end scrolls there.
    if (isFollowing.current) return;
    if (place) shown.moveBack(place);
    if (shown.isMissing(LEAST_MARGIN)) chooseAgain();
  });
  useEffect(() => followView(shown, { list, scroller, chooseAgain }), []);
  return { list, rows };
}

interface FollowOptions {
  list: RefObject<HTMLElement>;
  scroller: RefObject<HTMLElement>;
  chooseAgain: () => void;
}

/** Calls `chooseAgain` when the person scrolls or selects, or when heights change, and another turn is needed. Returns a function that ends this. */
function followView(shown: ShownTurns, { list, scroller, chooseAgain }: FollowOptions): (() => void) | undefined {
  if (!list.current || !scroller.current) return undefined;
  const { current: view } = scroller;
  const look = () => shown.isMissing(LEAST_MARGIN) && chooseAgain();
  // A frame later, because an observer must not change what it observes.
  const observer = new ResizeObserver(() => requestAnimationFrame(look));
  observer.observe(list.current);
  observer.observe(view);
  // A selection over a gap selects the turns in it too, so that they can be copied.
  const onSelect = () => shown.isGapSelected() && chooseAgain();
  view.addEventListener('scroll', look, { passive: true });
  document.addEventListener('selectionchange', onSelect);
  return () => {
    observer.disconnect();
    view.removeEventListener('scroll', look);
    document.removeEventListener('selectionchange', onSelect);
  };
}
