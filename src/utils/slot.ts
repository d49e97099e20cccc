/** A place that one part fills while the gateway is put together. Until then, and without that part, it holds a value of its own. */
export class Slot<T> {
  private isFilled = false;

  constructor(
    private readonly name: string,
    private value: T,
  ) {}

  get current(): T {
    return this.value;
  }

  /** Throws when another part has filled it. */
  fill(value: T): void {
    if (this.isFilled) throw new Error(`Two parts fill the slot ${this.name}: leave one of them out of src/features.ts.`);
    this.isFilled = true;
    this.value = value;
  }
}
