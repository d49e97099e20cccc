/** Reads the Prefer header (RFC 7240): how long a caller waits for an answer. */
import type { Context } from '@midwayjs/koa';

/** Returns whether the request has `Prefer: respond-async` (RFC 7240). */
export const wantsAsync = (ctx: Context): boolean => /(^|[,;\s])respond-async($|[,;\s])/i.test(ctx.get('prefer'));

const MAX_WAIT_S = 3_600;

/** Returns the seconds of `Prefer: wait=N`, at most an hour; undefined without the preference. One that cannot be read is ignored. */
export function waitOf(ctx: Context): number | undefined {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(ctx.get('prefer'))?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_S);
}

/** Returns the seconds to wait as `Prefer` says, 0 for none, and declares that it was applied; undefined to wait for the end. */
export function applyPatience(ctx: Context): number | undefined {
  const [isAsync, seconds] = [wantsAsync(ctx), waitOf(ctx)];
  const applied = [...(isAsync ? ['respond-async'] : []), ...(seconds === undefined ? [] : [`wait=${seconds}`])];
  if (applied.length > 0) ctx.set('preference-applied', applied.join(', '));
  return seconds ?? (isAsync ? 0 : undefined);
}
