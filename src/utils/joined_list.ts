/** A list whose parts come from several places. Each part of the gateway that has rows adds a function that lists them. */
export class JoinedList<T> {
  private readonly parts: (() => readonly T[])[] = [];

  /** Adds a part behind the others. `list` is called at each reading. */
  add(list: () => readonly T[]): void {
    this.parts.push(list);
  }

  list(): T[] {
    return this.parts.flatMap(list => list());
  }
}
