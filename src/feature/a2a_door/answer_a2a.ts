/** Answers one JSON-RPC request of an A2A client: with one answer, or with a stream of them. */
import type { Context } from '@midwayjs/koa';
import { anyBodyOf, localeOf, originOf, principalOf } from '../../controller/http_request';
import { SseAnswer } from '../../controller/sse_answer';
import type { AppError } from '../../errors';
import { hasScope } from '../../port/principal';
import type { A2aCaller, A2aDeps } from './a2a_caller';
import { toA2aError } from './a2a_errors';
import { A2aHandler } from './a2a_handler';
import { a2aSdk } from './a2a_sdk';
import { A2A_VERSION } from './agent_card';

type Answers = AsyncGenerator<object, void, undefined>;

/** Resolves with the body of a single answer, and with nothing after a stream. Rejects `unsupported_media_type`. */
export async function answerA2a(ctx: Context, deps: A2aDeps): Promise<object | undefined> {
  const { JsonRpcTransportHandler, ServerCallContext } = a2aSdk();
  const body = anyBodyOf(ctx) as Record<string, unknown>;
  const caller = callerOf(ctx, deps);
  ctx.status = 200;
  const version = ctx.get('a2a-version');
  if (version !== '' && !version.startsWith('1.')) return errorAnswer(body, versionNotSupported(version));
  const context = new ServerCallContext({ requestedVersion: A2A_VERSION });
  const answer = await new JsonRpcTransportHandler(new A2aHandler(caller, deps)).handle(body, context);
  if (!(Symbol.asyncIterator in answer)) return answer;
  return answerStream(ctx, { body, answers: answer, locale: caller.locale });
}

/** An error before the first event is a single answer; a later one is the last event. */
async function answerStream(ctx: Context, { body, answers, locale }: { body: object; answers: Answers; locale: A2aCaller['locale'] }) {
  let first: IteratorResult<object, void>;
  try {
    first = await answers.next();
  } catch (thrown) {
    return errorAnswer(body, toA2aError(thrown, locale));
  }
  const sse = new SseAnswer(ctx);
  const send = (value: object) => sse.add(`data: ${JSON.stringify(value)}\n\n`);
  try {
    if (!first.done) await send(first.value);
    for await (const value of answers) await send(value);
  } catch (thrown) {
    await send(errorAnswer(body, toA2aError(thrown, locale)));
  } finally {
    sse.end();
  }
  return undefined;
}

function callerOf(ctx: Context, { serviceSettings }: A2aDeps): A2aCaller {
  const principal = principalOf(ctx);
  const canApprove = hasScope(principal, 'approve');
  const gone = new AbortController();
  const leave = () => gone.abort();
  // A client that has left already causes no close event.
  if (ctx.res.destroyed) leave();
  else ctx.res.once('close', leave);
  // The guard of callers ends a stream whose key was revoked.
  ctx.state.endStream = (_error: AppError) => leave();
  return {
    principal,
    canApprove,
    mayDecide: ({ review }) => canApprove && !review?.notBy?.includes(principal.keyName),
    locale: localeOf(ctx, serviceSettings.defaultLocale),
    address: addressOf(ctx),
    origin: originOf(ctx),
    signal: gone.signal,
  };
}

/** Returns the address of the gateway as the caller reaches it. */
export const addressOf = ({ state: { publicAddress, basePath } }: Context): string =>
  `${publicAddress.protocol}://${publicAddress.host}${basePath}`;

const errorAnswer = (body: { id?: unknown }, error: Error): object => ({
  jsonrpc: '2.0',
  id: body.id ?? null,
  error: a2aSdk().JsonRpcTransportHandler.mapToJSONRPCError(error),
});

const versionNotSupported = (version: string): Error =>
  new (a2aSdk().VersionNotSupportedError)(`A2A-Version ${version.slice(0, 20)}: the gateway speaks ${A2A_VERSION}.`);
