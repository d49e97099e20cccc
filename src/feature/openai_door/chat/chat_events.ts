/** The events of a run as an answer of the chat completions API, streamed or whole. */

import type { AnswerEvents, AnswerProjection, RunEnd } from '../../../controller/model_door/run_answer';
import type { AppError } from '../../../errors';
import type { Locale } from '../../../port/store/sessions';
import { toOpenAiError } from '../shared/openai_error';
import { type ChatChunks, ChatProjection } from './chat_chunks';

export class ChatEvents implements AnswerProjection {
  readonly chat = new ChatProjection();

  /** `chunks`: present for an answer that is streamed. `locale`: language of errors. */
  constructor(
    private readonly chunks: ChatChunks | undefined,
    private readonly locale: Locale,
  ) {}

  get hasEnded(): boolean {
    return this.chat.hasEnded;
  }

  get failure(): AppError | undefined {
    return this.chat.failure;
  }

  /** The first chunk of an answer has the role. */
  begin(): string {
    return this.chunks?.role() ?? '';
  }

  /** Texts that arrive together leave as one chunk. */
  add(events: AnswerEvents): string {
    const { chunks } = this;
    let content = '';
    let piece = '';
    for (const event of events) {
      content += this.chat.add(event);
      const extra = chunks?.event(event) ?? '';
      if (extra === '') continue;
      piece += (chunks?.text(content) ?? '') + extra;
      content = '';
    }
    return piece + (chunks?.text(content) ?? '');
  }

  end(ending: RunEnd): string {
    const text = this.chat.end(ending);
    return this.chunks?.text(text) ?? '';
  }

  finish(): string {
    return this.chunks?.end(this.chat) ?? '';
  }

  fail(error: AppError): string {
    return `data: ${JSON.stringify({ error: toOpenAiError(error, this.locale) })}\n\n`;
  }
}
