/** The turns of a chat that are in the document: their places on the screen, and the heights of all turns that were there once. */
import type { RefObject } from 'preact';
import type { Turn } from '../../state/view_types';
import { areShown, estimateHeight, findTurnsInView, type Place, type Row } from './turn_window';

/** A smaller difference in place is the rounding of a scroll position. Pixels. */
const ROUNDING = 0.5;

/** Where a turn was on the screen. */
export interface KeptPlace {
  key: string;
  /** Pixels from the top of the view. */
  top: number;
}

export class ShownTurns {
  /** The rows that are the children of the list, and the turns that they name. */
  private rows: readonly Row[] = [];
  private turns: readonly Turn[] = [];
  /** Pixels by the key of the turn. */
  private readonly heights = new Map<string, number>();

  constructor(
    private readonly list: RefObject<HTMLElement>,
    private readonly scroller: RefObject<HTMLElement>,
  ) {}

  /** Call it when the document has these rows. */
  setRows(rows: readonly Row[], turns: readonly Turn[]): void {
    this.rows = rows;
    this.turns = turns;
  }

  /** Counts the turns, and knows the height of each: that of the last time in the document, else an estimate, which stays the same. */
  measured(turns: readonly Turn[]): { count: number; heightOf: (index: number) => number } {
    const heightOf = (turn: Turn | undefined): number => {
      if (!turn) return 0;
      const known = this.heights.get(turn.key);
      if (known !== undefined) return known;
      const height = estimateHeight(turn);
      this.heights.set(turn.key, height);
      return height;
    };
    return { count: turns.length, heightOf: index => heightOf(turns[index]) };
  }

  /** `margin`: in heights of the view. */
  viewSize(margin: number): { height: number; margin: number } {
    const height = this.scroller.current?.clientHeight || innerHeight;
    return { height, margin: height * margin };
  }

  /** Returns the place of the first turn in the view that is among `turns`: one in the document, else one in a gap. Remembers heights. */
  findKeptPlace(turns: readonly Turn[]): KeptPlace | undefined {
    const isKnown = (key: string) => turns === this.turns || indexOf(turns, key) >= 0;
    const { height } = this.viewSize(0);
    let found: KeptPlace | undefined;
    let inGap: KeptPlace | undefined;
    for (const { row, top, bottom } of this.measureRows()) {
      const key = this.turns[row.first]?.key ?? '';
      const isGap = row.gapHeight !== undefined;
      if (!isGap) this.heights.set(key, bottom - top);
      if (bottom <= 0 || top >= height) continue;
      if (isGap) inGap ??= this.findInGap(row, top, isKnown);
      else if (!found && isKnown(key)) found = { key, top };
    }
    return found ?? inGap;
  }

  private findInGap({ first, last }: Row, top: number, isKnown: (key: string) => boolean): KeptPlace | undefined {
    const { heightOf } = this.measured(this.turns);
    let y = top;
    for (let index = first; index <= last; index += 1) {
      const key = this.turns[index]?.key ?? '';
      const height = heightOf(index);
      if (y + height > 0 && isKnown(key)) return { key, top: y };
      y += height;
    }
    return undefined;
  }

  /** Returns where the kept turn is among `turns`; without one, the end of the chat. */
  toPlace(turns: readonly Turn[], kept: KeptPlace | undefined): Place {
    const index = kept ? indexOf(turns, kept.key) : -1;
    if (kept && index >= 0) return { index, top: kept.top };
    const last = turns.length - 1;
    return { index: last, top: this.viewSize(0).height - this.measured(turns).heightOf(last) };
  }

  /** Scrolls so that the turn is where it was. */
  moveBack({ key, top }: KeptPlace): void {
    const { current: scroller } = this.scroller;
    const moved = this.measureRows().find(({ row }) => row.gapHeight === undefined && this.turns[row.first]?.key === key);
    if (!scroller || !moved) return;
    const difference = moved.top - top;
    if (Math.abs(difference) > ROUNDING) scroller.scrollTop += difference;
  }

  /** Returns true when a turn is not in the document that stands in the view or within `margin` of it, in heights of the view. */
  isMissing(margin: number): boolean {
    const kept = this.findKeptPlace(this.turns);
    if (!kept) return false;
    const range = findTurnsInView(this.measured(this.turns), this.toPlace(this.turns, kept), this.viewSize(margin));
    return !areShown(this.rows, range);
  }

  /** Returns the keys of the turns in use: with the focus, a part of the selection, or a form that the person may have begun to fill in. */
  findUsed(): ReadonlySet<string> {
    const used = this.rows.filter((_, i) => this.isSelected(i) || this.list.current?.children[i]?.querySelector('form, textarea'));
    return new Set(used.flatMap(({ first, last }) => this.turns.slice(first, last + 1).map(({ key }) => key)));
  }

  isGapSelected(): boolean {
    return this.rows.some(({ gapHeight }, i) => gapHeight !== undefined && this.isSelected(i));
  }

  /** Returns true when the focus or a part of the selection is in the row. */
  private isSelected(rowIndex: number): boolean {
    const element = this.list.current?.children[rowIndex];
    const selection = getSelection();
    if (!element || !selection) return false;
    return element.contains(document.activeElement) || (selection.rangeCount > 0 && selection.containsNode(element, true));
  }

  /** Returns the rows with their places, in pixels from the top of the view. */
  private measureRows(): { row: Row; top: number; bottom: number }[] {
    const viewTop = this.scroller.current?.getBoundingClientRect().top ?? 0;
    const elements = [...(this.list.current?.children ?? [])];
    return this.rows.flatMap((row, i) => {
      const box = elements[i]?.getBoundingClientRect();
      return box ? [{ row, top: box.top - viewTop, bottom: box.bottom - viewTop }] : [];
    });
  }
}

const indexOf = (turns: readonly Turn[], key: string): number => turns.findIndex(turn => turn.key === key);
