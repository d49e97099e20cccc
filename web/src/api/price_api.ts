/** What the next message of a chat will likely cost. Every failure rejects with a RequestError. */
import { callRest } from './call_rest';
import type { Answer } from './schema_types';

/** What similar runs cost and took. */
export type RunEstimate = NonNullable<Answer<'RunPreview'>['estimate']>;

/** Absent fields: a new chat, and the choices of the chat or the gateway. */
export interface PricedMessage {
  input: string;
  sessionId?: string | undefined;
  agent?: string | undefined;
  model?: string | undefined;
}

/** Resolves with undefined when too few similar runs are known. */
export async function readEstimate(message: PricedMessage): Promise<RunEstimate | undefined> {
  return (await callRest<Answer<'RunPreview'>>('POST', '/runs/preview', message)).estimate;
}
