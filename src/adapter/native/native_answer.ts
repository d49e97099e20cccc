/** Assembles one answer from the stream of a vendor's client. Its methods throw AppErrors `model_*`. */

import { OWN_CALL_IDS } from '../../port/dialects';
import type { FinishReason, LlmAnswer, LlmSink, ServerCallData, Usage, WireToolCall } from '../../port/llm';
import { UNNAMED_CALL } from '../../port/llm';
import { toWellFormedJson, WellFormedPieces } from '../../utils/well_formed';
import { toServerData } from '../openai/kept_fields';
import { badResponse, cutOff, type Text, tooLarge } from '../openai/model_errors';
import type { ModelLimits } from '../openai/model_limits';
import { toWireName } from '../openai/tool_call_assembler';
import { layoutFields, type StoredBlock } from './answer_blocks';

export interface NativeAnswerOptions {
  sink: LlmSink;
  limits: ModelLimits;
  /** The name under which data of the server is stored. */
  server: string;
  /** The model that answers. */
  model: string;
  /** Creates an id for a call that came without a usable one. */
  createCallId: () => string;
  /** Called when the answer grows, or shows that its server works on it. */
  onProgress: () => void;
  /** Called when the answer is whole; its body may still go on. */
  onEnd: () => void;
}

type Fields = Record<string, unknown>;

interface OpenCall {
  id: string;
  name: string;
  args: string[];
  bytes: number;
}

export class NativeAnswer {
  private text = '';
  private reasoning = '';
  private textBytes = 0;
  private reasoningBytes = 0;
  private argumentBytes = 0;
  private readonly textPieces = new WellFormedPieces();
  private readonly reasoningPieces = new WellFormedPieces();
  private readonly calls: OpenCall[] = [];
  private readonly byKey = new Map<string | number, OpenCall>();
  private readonly blocks: StoredBlock[] = [];
  private usage: Usage | undefined;
  private reason: FinishReason | undefined;

  constructor(private readonly options: NativeAnswerOptions) {}

  /** Part of the answer has reached the sink. */
  get isVisible(): boolean {
    return this.text !== '' || this.reasoning !== '';
  }

  /** The server said that the answer has ended. */
  get isComplete(): boolean {
    return this.reason !== undefined;
  }

  /** The server sent a sign of life. */
  noteLife(): void {
    this.options.onProgress();
  }

  /** Adds text of the answer, behind the text so far unless another part came between; then it begins a new paragraph. */
  addText(piece: string): void {
    const text = this.textPieces.push(piece);
    if (text === '') return;
    const last = this.blocks.at(-1);
    if (!last || !('text' in last)) this.beginText();
    this.show(text);
    const open = this.blocks.at(-1);
    if (open && 'text' in open) open.text[1] = this.text.length;
  }

  /** The next text is a part of its own, with these fields for the server. */
  beginText(fields?: Fields): void {
    if (this.text !== '' && !/\s$/.test(this.text)) this.show('\n\n');
    this.blocks.push({ text: [this.text.length, this.text.length], fields });
  }

  /** Adds fields, which the server wants back, to the text so far; without one, to an empty text. */
  markText(fields: Fields): void {
    const last = this.blocks.at(-1);
    if (last && 'text' in last) last.fields = { ...last.fields, ...fields };
    else this.keep({ text: '', ...fields });
  }

  /** Adds a thought that people may see. `keep` gives it back to the server. */
  addThought(piece: string): void {
    const thought = this.reasoningPieces.push(piece);
    if (thought === '') return;
    this.reasoningBytes += Buffer.byteLength(thought);
    this.checkBytes(this.reasoningBytes, ['reasoning', '思考过程']);
    this.noteFirst();
    this.reasoning += thought;
    this.options.sink.onReasoning(thought);
    this.options.onProgress();
  }

  /** Begins a paragraph of thoughts. */
  beginThought(): void {
    if (this.reasoning !== '' && !this.reasoning.endsWith('\n')) this.addThought('\n\n');
  }

  /** Keeps a part that only the server reads, at this place of the answer. The caller may fill in the object until the end of the answer. */
  keep(part: Fields): void {
    this.blocks.push({ own: part });
  }

  /** Begins a tool call. `key`: names it in the stream. `fields`: what the server wants back with it. */
  beginCall(key: string | number, { id = '', name, fields }: { id?: string; name: string; fields?: Fields }): void {
    if (this.calls.length >= this.options.limits.maxCalls) {
      const { maxCalls } = this.options.limits;
      throw tooLarge([`more than ${maxCalls} tool calls`, `工具调用超过 ${maxCalls} 次`]);
    }
    this.noteFirst();
    const call = { id, name, args: [], bytes: 0 };
    this.byKey.set(key, call);
    this.blocks.push({ call: this.calls.length, fields });
    this.calls.push(call);
    this.options.onProgress();
  }

  /** Adds a piece of the JSON text of a call's arguments. */
  addArguments(key: string | number, piece: string): void {
    const call = this.byKey.get(key);
    if (!call) throw badResponse(['it has arguments of a tool call that did not begin', '有一段参数不属于任何工具调用']);
    const bytes = Buffer.byteLength(piece);
    call.bytes += bytes;
    this.argumentBytes += bytes;
    const { maxArgumentBytes, maxAllArgumentBytes } = this.options.limits;
    if (call.bytes > maxArgumentBytes)
      throw tooLarge([
        `the arguments of one tool call have more than ${maxArgumentBytes} bytes`,
        `一次工具调用的参数超过 ${maxArgumentBytes} 字节`,
      ]);
    if (this.argumentBytes > maxAllArgumentBytes)
      throw tooLarge([
        `its tool calls have arguments of more than ${maxAllArgumentBytes} bytes`,
        `工具调用的参数合计超过 ${maxAllArgumentBytes} 字节`,
      ]);
    call.args.push(piece);
    this.options.onProgress();
  }

  /** Replaces the arguments that have come: some servers send them once more as a whole. */
  setArguments(key: string | number, text: string): void {
    const call = this.byKey.get(key);
    if (call) {
      this.argumentBytes -= call.bytes;
      Object.assign(call, { bytes: 0, args: [] });
    }
    this.addArguments(key, text);
  }

  /** Input tokens include those of the cache. */
  noteUsage(usage: Usage): void {
    this.usage = usage;
  }

  /** The answer is whole. `stop` and `tool_calls` mean the same: the calls decide. */
  end(reason: FinishReason): void {
    const isFirst = this.reason === undefined;
    this.reason = reason;
    if (isFirst) this.options.onEnd();
  }

  /** Returns the whole answer. Throws `model_bad_response` when it is cut off or empty. */
  finish(): LlmAnswer {
    this.addText(this.textPieces.end());
    this.addThought(this.reasoningPieces.end());
    const { reason, text } = this;
    if (reason === undefined) throw cutOff();
    const mayCall = reason === 'stop' || reason === 'tool_calls';
    const { calls, data } = mayCall ? this.finishCalls() : { calls: [], data: [] };
    if (mayCall && calls.length === 0 && text === '') throw badResponse(['it is empty', '它是空的']);
    const { server, model } = this.options;
    // Calls that must not run are not stored either.
    const blocks = mayCall ? this.blocks : this.blocks.filter(block => !('call' in block));
    const serverData = toServerData({ server, fields: layoutFields({ model, units: text.length, blocks }), calls: data });
    const message = { role: 'assistant' as const, content: text === '' && calls.length > 0 ? null : text };
    return {
      message: { ...message, ...(calls.length > 0 && { tool_calls: calls }), ...(serverData && { serverData }) },
      reasoning: this.reasoning,
      finishReason: mayCall ? (calls.length > 0 ? 'tool_calls' : 'stop') : reason,
      usage: this.usage,
    };
  }

  private finishCalls(): { calls: WireToolCall[]; data: ServerCallData[] } {
    const taken = new Set<string>();
    const data: ServerCallData[] = [];
    const calls = this.calls.map(({ id, name, args }): WireToolCall => {
      const isUsable = OWN_CALL_IDS.test(id) && !taken.has(id);
      const callId = isUsable ? id : this.options.createCallId();
      data.push({ id: !isUsable && id !== '' && !taken.has(id) ? id : undefined });
      taken.add(id).add(callId);
      const text = args.join('');
      const written = text.trim() === '' ? '{}' : toWellFormedJson(text);
      return { id: callId, type: 'function', function: { name: toWireName(name) || UNNAMED_CALL, arguments: written } };
    });
    return { calls, data };
  }

  private show(text: string): void {
    this.textBytes += Buffer.byteLength(text);
    this.checkBytes(this.textBytes, ['text', '文本']);
    this.noteFirst();
    this.text += text;
    this.options.sink.onText(text);
    this.options.onProgress();
  }

  private noteFirst(): void {
    if (!this.isVisible && this.calls.length === 0) this.options.sink.onFirstChunk?.();
  }

  private checkBytes(bytes: number, [en, zhCN]: Text): void {
    const { maxTextBytes } = this.options.limits;
    if (bytes > maxTextBytes) throw tooLarge([`its ${en} has more than ${maxTextBytes} bytes`, `${zhCN}超过 ${maxTextBytes} 字节`]);
  }
}
