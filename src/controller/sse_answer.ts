/** The server-sent events that answer one request. They leave in one write for each turn of the event loop. */
import type { Context } from '@midwayjs/koa';
import { drained } from './event_stream';

const HEARTBEAT_MS = 15_000;

export class SseAnswer {
  private text = '';
  private heartbeat: NodeJS.Timeout | undefined;

  /** `heartbeatText`: sent in each 15 seconds, so that proxies and clients see that the stream lives. */
  constructor(
    private readonly ctx: Context,
    private readonly heartbeatText = ': heartbeat\n\n',
  ) {}

  /** False until the headers have left: an error can still have a status of its own. */
  get isOpen(): boolean {
    return this.heartbeat !== undefined;
  }

  /** Sends the headers. */
  open(): void {
    if (this.isOpen) return;
    const { ctx } = this;
    ctx.respond = false;
    ctx.res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    ctx.res.flushHeaders();
    this.heartbeat = setInterval(() => ctx.res.writableNeedDrain || ctx.res.write(this.heartbeatText), HEARTBEAT_MS);
  }

  /** Adds whole events, opening the answer. Resolves when the reader can take more. */
  add(text: string): Promise<void> | void {
    const { res } = this.ctx;
    if (text === '' || res.destroyed) return;
    this.open();
    if (this.text === '') process.nextTick(() => this.flush());
    this.text += text;
    if (res.writableNeedDrain) return drained(res);
  }

  end(): void {
    clearInterval(this.heartbeat);
    this.flush();
    this.ctx.res.end();
  }

  private flush(): void {
    const { text } = this;
    this.text = '';
    if (text !== '') this.ctx.res.write(text);
  }
}
