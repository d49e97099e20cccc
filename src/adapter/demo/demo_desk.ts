/** What the demo's work shares while it is played through: which tools there are, what was found, what is to be said. */
import type { DemoTexts } from './demo_texts';

/** A tool call that the work wants. Its result is what the yield gives back; '' when `waits` is false and it was not made yet. */
export interface DemoCall {
  name: string;
  args: Record<string, unknown>;
  /** Said along with the call. */
  say?: string;
  /** False: the work goes on in the same answer without the result. */
  waits: boolean;
}

/**
 * Work is a generator of calls. Every answer plays it from the start, feeding it the results that the history holds, until it wants a
 * call that was not made yet; so the demo keeps no state, and ends because the work does.
 */
export type Work<T> = Generator<DemoCall, T, string>;

export interface Desk {
  readonly texts: DemoTexts;
  readonly can: (tool: string) => boolean;
  /** The person's message. */
  readonly request: string;
  /** What the final answer says, block by block. */
  readonly parts: string[];
  /** Files of the last listing, as paths. */
  files?: string[];
  /** The file that the work is about. */
  file?: string;
  /** Plan items that only got their mark. */
  ticked: number;
}

/** Makes the call and gives its result; undefined, and says so, when the tool is not there. */
export function* use(desk: Desk, name: string, args: Record<string, unknown>, say?: string): Work<string | undefined> {
  if (!desk.can(name)) {
    desk.parts.push(desk.texts.notOffered(name));
    return undefined;
  }
  return yield { name, args, waits: true, ...(say && { say }) };
}

/** Reports a failure in the words of the tool, first line only. */
export function fail(desk: Desk, what: string, result: string): false {
  const [reason = ''] = result.trim().split('\n');
  desk.parts.push(desk.texts.failed(what, reason));
  return false;
}

const MAX_SHOWN = 4_000;

/** The text as a fenced block whose fence the text cannot end. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}\n…` : text;
  return `${fence}${language}\n${shown.replace(/\n$/, '')}\n${fence}`;
}
