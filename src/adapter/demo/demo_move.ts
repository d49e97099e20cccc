/** The steps of a script. */

export interface DemoCall {
  name: string;
  args: Record<string, unknown>;
}
/** The next text and calls of the demo. No calls: the answer is complete. */
export interface DemoMove {
  text: string;
  calls: DemoCall[];
}
/** Yields moves, receives one result for each call (undefined when the tool is not offered) and returns the last text. */
export type Script = Generator<DemoMove, string, (string | undefined)[]>;
