/** Figures of the present, for metrics. Each part of the gateway that has some adds a list. */
import type { Figure } from '../../port/figure';

/** Reads figures of a part of the gateway from the store. */
export type StoredFigures = () => Promise<readonly Figure[]>;

export class Figures {
  private readonly lists: (() => readonly Figure[])[] = [];

  /** Adds a list. It is called each time somebody reads the metrics. */
  add(list: () => readonly Figure[]): void {
    this.lists.push(list);
  }

  /** Returns the present figures of all parts. */
  list(): Figure[] {
    return this.lists.flatMap(list => list());
  }
}
