/** Reads what Google's client throws for an error inside a stream. Errors of the connection are known before the client sees them. */
import { isRecord } from '../openai/json_value';
import { badResponse, cutOff } from '../openai/model_errors';

/** The client's own words for a stream that ends in the middle of an event. */
const CUT_OFF = /Incomplete JSON segment/;

/** The client writes the error of the server, which is JSON, into a sentence. */
export function readClientError(thrown: unknown): unknown {
  if (!isRecord(thrown)) return thrown;
  const { name, message } = thrown;
  if (name === 'SyntaxError') return badResponse(['an event of its stream is not valid JSON', '流中有一个事件不是有效的 JSON'], thrown);
  if (typeof message !== 'string') return thrown;
  if (CUT_OFF.test(message)) return cutOff();
  const said = name === 'ApiError' ? parseFrom(message) : undefined;
  return said === undefined ? thrown : Object.assign(new Error('The server reports an error.', { cause: thrown }), { error: said });
}

function parseFrom(message: string): unknown {
  try {
    return JSON.parse(message.slice(message.indexOf('{')));
  } catch {
    return undefined;
  }
}
