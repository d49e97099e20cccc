/** Figures of the present, for metrics. Each part of the gateway that has some adds a list. */
import type { Figure } from '../../port/figure';

export class Figures {
  private readonly lists: (() => readonly Figure[])[] = [];

  /** Adds a list. It is called each time somebody reads the metrics. */
  add(list: () => readonly Figure[]): void {
    this.lists.push(list);
  }

  list(): Figure[] {
    return this.lists.flatMap(list => list());
  }
}
