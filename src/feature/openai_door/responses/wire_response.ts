/** Encodes responses: the object, and the items that a request brought. */
import { isTerminal } from '../../../port/run_event';
import type { MessageRecord } from '../../../port/store/messages';
import type { RunRecord } from '../../../port/store/runs';
import { toSeconds } from '../shared/to_seconds';
import { outputOfMessages } from './response_items';
import { FIXED_FIELDS, type ResponseObject, type ResponseSettings, toResponseId } from './response_object';
import { endOfResponse } from './response_outcome';
import type { ResponseRecord } from './store/response_records';

/** Settings that the responses of earlier versions were stored without. */
const NOT_IN_OLD_SETTINGS = { conversation: null };

/** The response before its first event: the same for every reader, whatever the run has done since. */
export function toNewResponse(run: Pick<RunRecord, 'id'>, { settings, createdAt }: ResponseRecord): ResponseObject {
  // A cast: the settings were stored as settingsOf made them.
  const own = settings as ResponseSettings;
  return {
    id: toResponseId(run.id),
    object: 'response',
    created_at: toSeconds(createdAt),
    status: own.background ? 'queued' : 'in_progress',
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...FIXED_FIELDS,
    ...NOT_IN_OLD_SETTINGS,
    ...own,
    temperature: own.temperature ?? 1,
    top_p: own.top_p ?? 1,
  };
}

/** Returns the response as it stands now. `messages`: messages of its run. */
export function toWireResponse(run: RunRecord, response: ResponseRecord, messages: readonly MessageRecord[]): ResponseObject {
  const fresh = toNewResponse(run, response);
  const { status, outcome } = run;
  const callerCalls = outcome?.callerCalls ?? [];
  const output = outputOfMessages(
    run.id,
    messages.map(({ message }) => message),
    {
      callerCalls,
      isCut: outcome?.reason === 'output_limit' || outcome?.reason === 'content_filter' || outcome?.reason === 'model_cut',
      isQuestionCall: outcome?.clarification !== undefined && callerCalls.length > 0,
    },
  );
  if (!isTerminal(status) || !outcome) return { ...fresh, status: status === 'queued' ? 'queued' : 'in_progress', output };
  const { event: _event, ...end } = endOfResponse({ ...outcome, status }, run.endedAt ?? run.createdAt);
  return { ...fresh, ...end, output };
}

/** The items of the request with their ids. */
export function toInputItems(run: Pick<RunRecord, 'id'>, input: ResponseRecord['input']): (Record<string, unknown> & { id: string })[] {
  return input.map((item, i) => ({ id: `${PREFIXES[String(item['type'])] ?? 'item'}_${run.id}_in${i}`, status: 'completed', ...item }));
}

const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', function_call: 'fc', function_call_output: 'fco', compaction: 'cmp' };
