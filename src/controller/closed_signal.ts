import type { Context } from '@midwayjs/koa';

/** Returns a signal that aborts when the caller of the request goes away. */
export function closedSignal({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.on('close', () => gone.abort(new Error('The caller went away.')));
  return gone.signal;
}
