/** Makes the run that a request for a response asks for. */

import { agentOfModel, type ModelNameDeps, type NamedAgent } from '../../../controller/model_door/model_name';
import { AppError } from '../../../errors';
import type { ImageInput } from '../../../port/image_input';
import type { Principal } from '../../../port/principal';
import type { RunRecord } from '../../../port/store/runs';
import type { Locale } from '../../../port/store/sessions';
import type { SessionAccess } from '../../../service/access/session_access';
import type { ImageService, NamedImage } from '../../../service/image/image_service';
import type { StartRequest } from '../../../service/run/start_request';
import { titleFrom } from '../../../service/session/session_title';
import { refusal } from '../../../wire/refusal';
import type { ConversationService, ConversationState } from '../conversations/conversation_service';
import type { FindItem, InputItem, OpenSummary, ReadInput, TakeFile } from '../items/input_items';
import { runOfItem } from '../items/item_ids';
import { imagePointer } from '../items/item_messages';
import { type Conversation, toConversation } from './response_conversation';
import type { OutputItem } from './response_object';
import { type ResponseCall, readResponseRequest } from './response_request';
import type { NewResponse, ResponseService } from './response_service';
import { toWireResponse } from './wire_response';

const IMAGES_MS = 30_000;

export interface StartContext extends ModelNameDeps {
  principal: Pick<Principal, 'tenantId' | 'keyName'>;
  origin: Pick<StartRequest, 'trace' | 'requestId'>;
  responses: ResponseService;
  sessionAccess: Pick<SessionAccess, 'assertMay'>;
  conversations: ConversationService;
  takeFile: TakeFile;
  openSummary: OpenSummary;
  images: ImageService;
  locale: Locale;
  /** Returns the fields of the request that go to the model server of this agent. */
  passForeignFields(named: NamedAgent): Record<string, unknown>;
}

/** Reads the request for a new response. Rejects `invalid_request`, `too_large`, and `not_found` for a previous response that does not exist. */
export async function readNewResponse(body: unknown, context: StartContext): Promise<{ request: NewResponse; call: ResponseCall }> {
  const { responses, images } = context;
  const { tenantId, keyName } = context.principal;
  const call = await readResponseRequest(body, { ...context, findItem: itemFinder(context) });
  const { previousRunId } = call;
  const previous =
    previousRunId === undefined ? undefined : (await responses.getResponse(tenantId, previousRunId, '/previous_response_id')).run;
  const state = call.conversationId === undefined ? undefined : await context.conversations.readState(tenantId, call.conversationId);
  const conversation = toConversation(call.input, context.locale);
  const { given, text } = givenOf(conversation, { previous, state });
  const attached = await images.attachImages(given, conversation.images, { tenantId, keyName, signal: AbortSignal.timeout(IMAGES_MS) });
  const instructions = [call.instructions ?? [], conversation.instructions].flat().join('\n\n');
  const named = agentOfModel(call.model, context.principal, context);
  const caller = { ...call.caller, instructions: instructions || call.caller.instructions };
  const passed = context.passForeignFields(named);
  const { settings, isKept, parameters, limits, metadata } = call;
  const request: NewResponse = {
    start: {
      tenantId,
      keyName,
      door: 'responses',
      ...context.origin,
      text,
      sessionId: state?.session.id,
      given,
      ...attached,
      caller: Object.keys(passed).length === 0 ? caller : { ...caller, modelFields: { ...passed, ...caller.modelFields } },
      newSession: state ? undefined : { title: titleFrom(text), origin: { door: 'openai' } },
      ...named,
      onBusy: 'reject',
      interaction: {
        clarify: 'text',
        // A question never waits here.
        clarifyTimeoutMs: 0,
        publishes: call.isBackground ? ('stored' as const) : undefined,
      },
      parameters,
      limits,
      metadata,
    },
    settings,
    input: toStoredInput(call.input, conversation.images, attached.images),
    isKept,
    previous: previous ?? state?.lastRun,
  };
  return { request, call };
}

type Given = Pick<NewResponse['start'], 'given' | 'text'>;

/** The messages that the input follows. */
interface Continued {
  /** The newest run before it. */
  last?: RunRecord;
  /** Ids of the calls that wait for an output. */
  openCalls: ReadonlySet<string>;
}

function givenOf(conversation: Conversation, { previous, state }: { previous?: RunRecord; state?: ConversationState }): Given {
  const callsOfRun = (previous ?? state?.lastRun)?.outcome?.callerCalls?.map(({ toolCallId }) => toolCallId) ?? [];
  if (previous) return continued(conversation, { last: previous, openCalls: new Set(callsOfRun) });
  // The question of a run is a call of the caller that no message holds.
  if (state) return continued(conversation, { last: state.lastRun, openCalls: new Set([...state.openCalls, ...callsOfRun]) });
  return fresh(conversation);
}

/** The input is the whole history. */
function fresh({ earlier, turn, text }: Conversation): Given {
  const calls = new Set(earlier.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).map(({ id }) => id));
  for (const message of turn) {
    if (message.role === 'tool' && !calls.has(message.tool_call_id)) throw noCall(message.tool_call_id);
  }
  return { given: { earlier, turn }, text };
}

/** The input follows earlier messages. An output for the call of a question is the answer of a person. */
function continued({ earlier, turn, text }: Conversation, { last, openCalls }: Continued): Given {
  if (earlier.length > 0)
    throw refusal(
      '/input',
      'must hold no earlier answers or calls beside previous_response_id or conversation',
      '有 previous_response_id 或 conversation 时不能再包含更早的回答或调用',
    );
  for (const message of turn) {
    if (message.role === 'tool' && !openCalls.has(message.tool_call_id)) throw noCall(message.tool_call_id);
  }
  if (!last?.outcome?.clarification) return { given: { earlier, turn }, text };
  const said = turn.map(({ content }) => content).join('\n\n');
  return {
    given: { earlier, turn: turn.map(message => (message.role === 'tool' ? { role: 'user', content: message.content } : message)) },
    text: said,
  };
}

const noCall = (callId: string): AppError =>
  refusal(
    '/input',
    `has an output for the call ${callId}, which no function_call before it made`,
    `含有调用 ${callId} 的输出，但前面没有对应的 function_call`,
  );

/** Items as they are stored: the bytes of their images are stored with the message already, so they keep an id instead; a file keeps its name. */
function toStoredInput(
  { at, items, places }: ReadInput,
  named: readonly NamedImage[],
  images: readonly ImageInput[] = [],
): NewResponse['input'][number][] {
  const namedImages = named.filter(({ file }) => !file);
  const idAt = new Map(namedImages.map(({ at: place, url }, i) => [place, url.startsWith('data:') ? images[i]?.id : undefined]));
  return items.map((item, i) => {
    if (item.type === 'compaction') return { type: item.type, encrypted_content: item.encrypted_content };
    if (item.type === 'function_call_output') return { type: item.type, call_id: item.call_id, output: item.output };
    if (item.type !== 'message') return item;
    const content = item.content.map((part, k) => {
      if (part.type === 'input_file') return { type: part.type, file_id: part.file_id, filename: part.filename };
      if (part.type !== 'input_image') return part;
      return { ...part, image_url: idAt.get(imagePointer(`${at}/${places[i] ?? i}`, k)) ?? part.image_url };
    });
    return { ...item, content };
  });
}

/** Finds items of the output of responses that are kept and that the caller sees; each response is read once. */
function itemFinder({ principal, responses, sessionAccess }: StartContext): FindItem {
  const outputs = new Map<string, Promise<readonly OutputItem[]>>();
  const outputOf = async (runId: string): Promise<readonly OutputItem[]> => {
    const { run, response } = await responses.getResponse(principal.tenantId, runId);
    await sessionAccess.assertMay(principal, run.sessionId, 'look');
    return toWireResponse(run, response, await responses.listMessages(run)).output;
  };
  return async itemId => {
    const runId = runOfItem(itemId);
    if (runId === undefined) return undefined;
    const known = outputs.get(runId) ?? outputOf(runId).catch(noOutput);
    outputs.set(runId, known);
    const item = (await known).find(({ id }) => id === itemId);
    return item && toInputItem(item);
  };
}

function noOutput(thrown: unknown): readonly OutputItem[] {
  if (thrown instanceof AppError && thrown.code === 'not_found') return [];
  throw thrown;
}

function toInputItem(item: OutputItem): InputItem | undefined {
  if (item.type === 'reasoning') return undefined;
  if (item.type === 'function_call') return { type: 'function_call', call_id: item.call_id, name: item.name, arguments: item.arguments };
  return { type: 'message', role: 'assistant', content: item.content.map(({ text }) => ({ type: 'output_text', text })) };
}
