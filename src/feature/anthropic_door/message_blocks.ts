/** The content of an answer, block by block, and the events of the Messages API that stream it. One block is open at a time. */
import type { CallerCall } from '../../port/caller';

export type ContentBlock =
  | { type: 'text'; text: string; citations: null }
  | { type: 'thinking'; thinking: string; signature: '' }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

/** Returns one server-sent event of the stream. */
export const toSse = (type: string, fields: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export class MessageBlocks {
  readonly content: ContentBlock[] = [];
  private isOpen = false;

  get hasText(): boolean {
    return this.content.some(({ type }) => type === 'text');
  }

  /** Returns the events of a piece of text. */
  addText(text: string): string {
    if (text === '') return '';
    const opening = this.last?.type === 'text' ? '' : this.open({ type: 'text', text: '', citations: null });
    const block = this.last;
    if (block?.type === 'text') block.text += text;
    return opening + this.delta({ type: 'text_delta', text });
  }

  /** A thought has no signature: one belongs to the server of the model alone. */
  addThinking(thinking: string): string {
    if (thinking === '') return '';
    const opening = this.last?.type === 'thinking' ? '' : this.open({ type: 'thinking', thinking: '', signature: '' });
    const block = this.last;
    if (block?.type === 'thinking') block.thinking += thinking;
    return opening + this.delta({ type: 'thinking_delta', thinking });
  }

  addCall({ toolCallId: id, name, arguments: text }: CallerCall): string {
    const opening = this.open({ type: 'tool_use', id, name, input: {} });
    const input = toInput(text);
    this.content[this.content.length - 1] = { type: 'tool_use', id, name, input };
    return opening + this.delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }) + this.close();
  }

  /** Ends the open block: what follows is another block. */
  close(): string {
    if (!this.isOpen) return '';
    this.isOpen = false;
    return toSse('content_block_stop', { index: this.content.length - 1 });
  }

  /** The open block. */
  private get last(): ContentBlock | undefined {
    return this.isOpen ? this.content.at(-1) : undefined;
  }

  private open(block: ContentBlock): string {
    const closing = this.close();
    this.isOpen = true;
    const event = toSse('content_block_start', { index: this.content.length, content_block: block });
    this.content.push(block);
    return closing + event;
  }

  private delta(delta: object): string {
    return toSse('content_block_delta', { index: this.content.length - 1, delta });
  }
}

/**
 * Reads the arguments of a call. An input is always an object, so broken JSON comes under the name that Anthropic's documentation recommends: a tool
 * refuses it, and the model sees why.
 */
function toInput(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The model wrote broken JSON.
  }
  return { INVALID_JSON: text };
}
