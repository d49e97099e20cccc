/** Collects the other output of a tool's process for the log of the gateway: stderr, and lines of stdout that are no protocol. */
import type { LogInfo } from '../../port/logger';
import { clipStart } from '../../utils/clip_text';

/** Characters of one entry in the log. */
const MAX_UNITS = 4_000;
/** Kept behind the end of an entry, so that a secret there is removed as a whole before the entry is cut. */
const SPARE_UNITS = 4_000;

export class ToolOutputLog {
  private text = '';
  private dropped = 0;

  constructor(
    private readonly tool: string,
    private readonly options: { onInfo: LogInfo; redact: (text: string) => string },
  ) {}

  add(text: string): void {
    const room = MAX_UNITS + SPARE_UNITS - this.text.length;
    this.text += text.slice(0, room);
    this.dropped += Math.max(0, text.length - room);
  }

  /** Writes one entry when there is output. */
  flush(): void {
    const text = this.options.redact(this.text.trim());
    const dropped = this.dropped + Math.max(0, text.length - MAX_UNITS);
    const rest = dropped > 0 ? `\n[${dropped} more characters]` : '';
    this.text = '';
    this.dropped = 0;
    if (text !== '') this.options.onInfo(`output of the tool ${this.tool}`, clipStart(text, MAX_UNITS) + rest);
  }
}
