/** OpenAI's Responses API over its official client. */
import { definedFields } from '../../utils/defined_fields';
import type { NativeApi, NativeCall } from '../native/native_model';
import { chatListing } from '../openai/key_headers';
import { ResponseReader } from './response_reader';
import { toResponsesRequest } from './responses_request';

/** The caller limits the times of a call. */
const NO_TIMEOUT_MS = 86_400_000;

export const responsesApi: NativeApi = {
  api: 'responses',
  provider: 'openai',
  async ask(call, answer) {
    const client = await openClient(call);
    const stream = await client.responses.create(toResponsesRequest(call), { signal: call.signal });
    const reader = new ResponseReader(answer);
    for await (const event of stream) reader.read(event);
  },
  async countTokens(call) {
    const client = await openClient(call);
    const { model, input, instructions, tools, tool_choice, parallel_tool_calls, reasoning, text } = toResponsesRequest(call);
    const body = definedFields({ model, input, instructions, tools, tool_choice, parallel_tool_calls, reasoning, text });
    return (await client.responses.inputTokens.count(body, { signal: call.signal })).input_tokens;
  },
  listing: chatListing,
};

/** The client loads with the first call. Nothing comes from the variables of the environment that it knows. */
async function openClient({ server, fetch }: NativeCall) {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    apiKey: server.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: server.baseUrl,
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    defaultHeaders: server.apiKey === undefined ? { authorization: null } : undefined,
  });
}
