/** Reads the body of POST /v1/responses/compact, and makes the run that writes the summary: the agent reads the conversation, without its tools. */
import { type Static, Type } from '@sinclair/typebox';
import { withoutNulls } from '../../../controller/model_door/foreign_fields';
import { says } from '../../../utils/bilingual';
import { Optional } from '../../../utils/schema_types';
import { decode } from '../../../wire/decode';
import { refusal } from '../../../wire/refusal';
import { refuseOtherAnswers } from '../responses/response_request';
import { ResponseRequest } from '../responses/response_request_schema';
import type { NewResponse } from '../responses/response_service';
import { readNewResponse, type StartContext } from '../responses/response_start';
import { COMPACTION_REQUEST } from './compaction_texts';

const { model, instructions, previous_response_id, input } = ResponseRequest.properties;

export const CompactionRequest = Type.Object(
  {
    model,
    input: Type.Optional({
      ...input,
      ...says('a text or items; absent only with previous_response_id', '文本或条目；只有带 previous_response_id 时可省略'),
    }),
    instructions,
    previous_response_id,
    user: Optional.String({ maxLength: 500 }),
  },
  {
    additionalProperties: true,
    ...says('other fields are ignored', '其他字段会被忽略'),
    examples: [{ model: 'default', input: [{ role: 'user', content: 'list the files' }] }],
  },
);

export interface Compaction {
  request: NewResponse;
  /** The items of people in the request, as they were written. */
  said: readonly Record<string, unknown>[];
}

/** Rejects as readNewResponse does, and `invalid_request` for a request without a conversation. */
export async function readCompaction(body: unknown, context: StartContext): Promise<Compaction> {
  const { input: given = [], ...rest }: Static<typeof CompactionRequest> = decode(CompactionRequest, withoutNulls(body));
  refuseOtherAnswers(rest);
  const items = typeof given === 'string' ? [{ type: 'message', role: 'user', content: given }] : given;
  if (items.length === 0 && rest.previous_response_id === undefined)
    throw refusal(
      '/input',
      'must have an item, or stand beside previous_response_id',
      '至少要有一个条目，或者同时给出 previous_response_id',
    );
  const asked = {
    model: rest.model,
    instructions: rest.instructions,
    previous_response_id: rest.previous_response_id,
    input: [...items, { type: 'message', role: 'user', content: COMPACTION_REQUEST[context.locale] }],
    reasoning: { effort: 'none' },
    store: false,
  };
  const { request } = await readNewResponse(asked, context);
  const start = { ...request.start, limits: { ...request.start.limits, tools: { allow: [] } } };
  return { request: { ...request, start }, said: items.filter(isOfPerson) };
}

const isOfPerson = (item: unknown): item is Record<string, unknown> =>
  typeof item === 'object' && item !== null && 'role' in item && item.role === 'user';
