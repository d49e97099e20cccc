/** Sentences about what an operator should mend. Each part of the gateway that knows such things adds a list. */
export class Warnings {
  private readonly lists: (() => readonly string[])[];

  constructor(lists: readonly (() => readonly string[])[] = []) {
    this.lists = [...lists];
  }

  /** Adds a list behind the others. It is called each time somebody reads the warnings. */
  add(list: () => readonly string[]): void {
    this.lists.push(list);
  }

  list(): string[] {
    return this.lists.flatMap(list => list());
  }
}
