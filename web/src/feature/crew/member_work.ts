/** Derives what a crew card shows from the events of both runs. Pure. */
import { toPlainText } from '../../markdown/plain_text';
import type { DelegateItem, TextItem, ToolItem, Turn, Usage } from '../../state/view_types';

/** Characters of the end of a text among which its last line is found. */
const MAX_LINE = 1_000;

export type MemberState = 'waiting' | 'running' | 'asking' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** The parent's log knows when a member is done and what it asks; otherwise the member's own run says how it stands. */
export function memberStateOf(item: DelegateItem, turn: Turn | undefined, isAsking: boolean): MemberState {
  if (item.state !== 'open') return item.state;
  if (isAsking) return 'asking';
  if (!turn) return 'waiting';
  switch (turn.state) {
    case 'sending':
    case 'unsent':
    case 'queued':
      return 'waiting';
    case 'waiting':
      return 'running';
    default:
      return turn.state;
  }
}

export function isWorking(state: MemberState): boolean {
  return state === 'waiting' || state === 'running' || state === 'asking';
}

export interface MemberProgress {
  /** The latest tool calls, oldest first. */
  tools: readonly ToolItem[];
  /** Number of tool calls before these. */
  earlier: number;
  /** The latest text as one line. */
  text: string;
}

/** Returns what a closed card shows of a member that works: at most `limit` tool calls and the latest text. */
export function progressOf(turn: Turn | undefined, limit: number): MemberProgress {
  const tools = turn?.items.filter((item): item is ToolItem => item.kind === 'tool') ?? [];
  const text = turn?.items.findLast((item): item is TextItem => item.kind === 'text');
  return { tools: tools.slice(-limit), earlier: Math.max(0, tools.length - limit), text: oneLine(text?.text ?? '') };
}

/** Returns the milliseconds from the start of the task to its end, or to `now`. Both times come from the gateway's clock. */
export function durationOf({ startedAt, durationMs }: DelegateItem, now: number): number {
  return durationMs ?? Math.max(0, now - Date.parse(startedAt));
}

/** Tokens of the member's run so far; undefined while unknown. */
export function tokensOf(item: DelegateItem, turn: Turn | undefined): number | undefined {
  const usage: Usage | undefined = item.usage ?? turn?.usage;
  const tokens = usage && usage.inputTokens + usage.outputTokens;
  return tokens === 0 ? undefined : tokens;
}

/** Shows the end of the text, which says where a member stands; the beginning would not change while the text grows. */
function oneLine(text: string): string {
  return toPlainText(text.slice(-MAX_LINE)).split(/\n+/).at(-1)?.trim() ?? '';
}
