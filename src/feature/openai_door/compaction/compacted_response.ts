/** The answer of POST /v1/responses/compact: the messages of people as they were, and behind them the sealed summary of everything. */
import { Type } from '@sinclair/typebox';
import { AnyObject } from '../../../controller/schemas/common';
import { AppError } from '../../../errors';
import { MAX_ALL_IMAGE_BYTES } from '../../../port/image_input';
import type { MessageRecord } from '../../../port/store/messages';
import type { RunRecord } from '../../../port/store/runs';
import { says } from '../../../utils/bilingual';
import { imageUnitsOf } from '../../../wire/image_units';
import { ResponseUsage, toResponseId } from '../responses/response_object';
import { toResponseUsage } from '../responses/response_outcome';
import { toSeconds } from '../shared/to_seconds';

export const CompactedResponse = Type.Object({
  id: Type.String(),
  object: Type.Literal('response.compaction'),
  created_at: Type.Integer(says('seconds since 1970', '自 1970 年起的秒数')),
  output: Type.Array(
    AnyObject,
    says(
      'the messages of people, then one item of the type compaction: the input that the next response takes in place of the conversation',
      '用户的消息，其后是一个 compaction 条目：下一个响应以它们代替原对话作为输入',
    ),
  ),
  usage: ResponseUsage,
});

/** Characters of the messages of people without their images, the newest first: the answer must fit into the next request. */
const MAX_SAID_UNITS = 256 * 1024;

/** Returns the summary that a run has written. Throws the error of the run, or `model_bad_response` for a summary without an end. */
export function summaryOf({ status, outcome }: RunRecord): string {
  const text = outcome?.text.trim() ?? '';
  if (status === 'completed' && text !== '') return text;
  if (status === 'cancelled') throw new AppError('run_cancelled');
  throw new AppError('model_bad_response', {
    message: 'The model did not finish the summary. Compact a shorter part of the conversation.',
    messageZh: '模型没有写完摘要。请压缩较短的一段对话。',
  });
}

/**
 * Returns the messages of people in a conversation, oldest first. Messages that the gateway wrote are left out. So are the older images, when all
 * images have more bytes than a request may bring.
 */
export function messagesOfPeople(records: readonly MessageRecord[]): MessageRecord[] {
  let bytes = 0;
  const ofPeople: MessageRecord[] = [];
  for (const record of records.toReversed()) {
    const { message } = record;
    if (message.role !== 'user' || message.isByGateway) continue;
    for (const image of message.images ?? []) bytes += image.bytes;
    const images = bytes <= MAX_ALL_IMAGE_BYTES ? message.images : undefined;
    if (message.content !== '' || images) ofPeople.unshift({ ...record, message: { ...message, images } });
  }
  return ofPeople;
}

/** `earlier`: items of people that the request continued; `said`: items of people in the request; `sealed`: the sealed summary. */
export function toCompactedResponse(
  { id: runId, createdAt, outcome }: RunRecord,
  { earlier, said, sealed }: { earlier: readonly Record<string, unknown>[]; said: readonly Record<string, unknown>[]; sealed: string },
) {
  const given = said.map((item, i) => ({
    ...item,
    id: item['id'] ?? `msg_${runId}_in${i}`,
    type: 'message',
    content: partsOf(item['content']),
  }));
  const people = newest([...earlier, ...given]).map(item => ({ ...item, status: 'completed' }));
  return {
    id: toResponseId(runId),
    object: 'response.compaction',
    created_at: toSeconds(createdAt),
    output: [...people, { id: `cmp_${runId}`, type: 'compaction', encrypted_content: sealed }],
    usage: toResponseUsage(outcome?.usage ?? { inputTokens: 0, outputTokens: 0 }),
  };
}

const partsOf = (content: unknown): unknown => (typeof content === 'string' ? [{ type: 'input_text', text: content }] : content);

function newest<T>(items: readonly T[]): T[] {
  let units = 0;
  const cut = items.findLastIndex(item => {
    units += JSON.stringify(item).length - imageUnitsOf([item]);
    return units > MAX_SAID_UNITS;
  });
  return items.slice(cut + 1);
}
