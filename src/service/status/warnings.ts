/**
 * Warnings: sentences about problems that an operator should mend. Each part of the gateway that finds such problems adds a function that lists its
 * warnings.
 */
export class Warnings {
  private readonly lists: (() => readonly string[])[];

  constructor(lists: readonly (() => readonly string[])[] = []) {
    this.lists = [...lists];
  }

  /** Adds the warnings that `list` returns behind the warnings of the earlier parts. `list` is called each time the warnings are read. */
  add(list: () => readonly string[]): void {
    this.lists.push(list);
  }

  /** Returns the warnings of all parts, in the order in which the parts were added. */
  list(): string[] {
    return this.lists.flatMap(list => list());
  }
}
