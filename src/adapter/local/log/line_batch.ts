/** Writes the lines of one turn of the event loop at once: with many sessions, the ends of many runs come together. */
export class LineBatch {
  private lines: string[] = [];

  constructor(private readonly write: (lines: string) => void) {}

  /** A crash of the process can lose the lines of the last moment, but not its exit. `isUrgent`: write now, behind what waits. */
  add(line: string, isUrgent: boolean): void {
    this.lines.push(line);
    if (isUrgent) this.flush();
    else if (this.lines.length === 1) {
      setImmediate(this.flush);
      process.once('exit', this.flush);
    }
  }

  private readonly flush = (): void => {
    if (this.lines.length === 0) return;
    process.off('exit', this.flush);
    const text = this.lines.join('\n');
    this.lines = [];
    this.write(text);
  };
}
