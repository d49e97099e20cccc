import type { FinishReason } from '../../port/llm';

/** The end of an answer. `failed`: the server says that the answer is incomplete, or uses a word that is not known. */
export type AnswerEnd = FinishReason | 'failed';

/** The words of servers for the end of an answer, in lower case and without punctuation. */
const WORDS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop stopped eos eostoken eot endofturn s imend eotid endoftext endofsequence endofsentence endturn end ended stopsequence stopword stopstring stoptoken complete completed done finished finish success normal default',
  tool_calls:
    'toolcalls toolcall tooluse tooluses tool tools functioncall functioncalls function functions toolexecution callfunction calltool',
  length:
    'length maxtokens maxtoken maxoutputtokens maxcompletiontokens maxnewtokens maxlength modellength lengthlimit tokenlimit limit contextlength contextwindow maxcontextlength modelcontextwindowexceeded contextwindowexceeded contextlengthexceeded errorlimit',
  content_filter:
    'contentfilter contentfiltered contentfiltering filter filtered safety imagesafety recitation imagerecitation blocklist blocked prohibitedcontent imageprohibitedcontent spii sensitive refusal moderation contentpolicy policyviolation guardrail guardrailintervened errortoxic toxic',
};
const ENDS = new Map(Object.entries(WORDS).flatMap(([end, words]) => words.split(' ').map(word => [word, end as FinishReason] as const)));
/** Words in chunks that end nothing. */
const NO_ENDS: ReadonlySet<string> = new Set([
  '',
  'null',
  'none',
  'nil',
  'undefined',
  'unspecified',
  'inprogress',
  'generating',
  'notfinished',
]);

/** Spelling, case and a prefix such as `FinishReason.` or `FINISH_REASON_` do not matter. */
const toWord = (reason: string): string =>
  reason
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/^(?:finish|stop|done)reason/, '');

/** Returns true for a reason that ends an answer, known or unknown. */
export const isEnd = (reason: unknown): reason is string => typeof reason === 'string' && !NO_ENDS.has(toWord(reason));

/** Treats an unknown word as a failure, because the answer that it ended may be incomplete. */
export const toAnswerEnd = (reason: string): AnswerEnd => ENDS.get(toWord(reason)) ?? 'failed';

/** True when the reason says that the answer is not whole. */
export function isCutReason(reason: string): boolean {
  const end = toAnswerEnd(reason);
  return end !== 'stop' && end !== 'tool_calls';
}
