/** Sends a view of operators as server-sent events: `event: <view>`, `data: <JSON>`. */
import type { Context } from '@midwayjs/koa';
import { type AppError, toWireError } from '../../../errors';
import type { ViewListener } from '../views/ops_streams';

const HEARTBEAT_MS = 15_000;

export class OpsEventStream {
  /** The newest view, while the connection takes no more; older views are dropped. */
  private waiting: string | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly view: string,
  ) {}

  /** `watch` gets the listener of the view and returns the function that ends it. Resolves when the reader leaves, or can no longer read. */
  async answer(watch: (listener: ViewListener) => () => void): Promise<void> {
    const { ctx } = this;
    const { res } = ctx;
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    if (ctx.method === 'HEAD') {
      ctx.set(headers);
      ctx.body = '';
      return;
    }
    const left = Promise.withResolvers<void>();
    const end = (error: AppError) => {
      const wire = toWireError(error, String(ctx.state.requestId));
      res.write(`event: error\ndata: ${JSON.stringify({ error: wire })}\n\n`);
      left.resolve();
    };
    // Throws before the first byte when there are too many watchers.
    const stop = watch({ send: json => this.send(json), fail: error => end(error) });
    ctx.respond = false;
    if (!res.headersSent) res.writeHead(200, headers);
    res.flushHeaders();
    const heartbeat = setInterval(() => res.writableNeedDrain || res.write(': heartbeat\n\n'), HEARTBEAT_MS);
    ctx.state.endStream = end;
    res.on('close', () => left.resolve());
    res.on('drain', () => this.sendWaiting());
    if (res.destroyed) left.resolve();
    await left.promise;
    stop();
    clearInterval(heartbeat);
    res.end();
  }

  private send(json: string): void {
    if (this.ctx.res.writableNeedDrain) this.waiting = json;
    else this.write(json);
  }

  private sendWaiting(): void {
    const json = this.waiting;
    this.waiting = undefined;
    if (json !== undefined) this.write(json);
  }

  private write(json: string): void {
    const { res } = this.ctx;
    if (!res.headersSent)
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    res.write(`event: ${this.view}\ndata: ${json}\n\n`);
  }
}
