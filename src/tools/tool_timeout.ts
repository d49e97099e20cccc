/** The abort reason of a call's signal when its time limit has passed. */
export class ToolTimeout extends Error {
  constructor(
    message: string,
    readonly limitMs: number,
  ) {
    super(message);
    this.name = 'ToolTimeout';
  }
}
