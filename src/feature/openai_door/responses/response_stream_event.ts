/** The events of a streamed response, in the shapes of OpenAI's API. `sequence_number` starts at 0 and has no gap. */
import type { OutputText } from '../items/output_text';
import type { OutputItem, ResponseObject } from './response_object';

type Lifecycle = 'created' | 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** The place of a piece of an item. */
interface ItemPlace {
  item_id: string;
  output_index: number;
}
type TextPlace = ItemPlace & { content_index: 0 };
type SummaryPlace = ItemPlace & { summary_index: 0 };
type SummaryPart = { type: 'summary_text'; text: string };

/** An event without its number. */
export type ResponseEventBody =
  | { type: `response.${Lifecycle}`; response: ResponseObject }
  | { type: 'response.output_item.added' | 'response.output_item.done'; output_index: number; item: OutputItem }
  | ({ type: 'response.content_part.added' | 'response.content_part.done'; part: OutputText } & TextPlace)
  | ({ type: 'response.output_text.delta'; delta: string; logprobs: never[] } & TextPlace)
  | ({ type: 'response.output_text.done'; text: string; logprobs: never[] } & TextPlace)
  | ({ type: 'response.function_call_arguments.delta'; delta: string } & ItemPlace)
  | ({ type: 'response.function_call_arguments.done'; name: string; arguments: string } & ItemPlace)
  | ({ type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done'; part: SummaryPart } & SummaryPlace)
  | ({ type: 'response.reasoning_summary_text.delta'; delta: string } & SummaryPlace)
  | ({ type: 'response.reasoning_summary_text.done'; text: string } & SummaryPlace)
  | { type: 'error'; code: string; message: string; param: string | null };

export type ResponseStreamEvent = ResponseEventBody & { sequence_number: number };

/** Encodes an event as a server-sent event. */
export const encodeResponseEvent = (event: ResponseStreamEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
