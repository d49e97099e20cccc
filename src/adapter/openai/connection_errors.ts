/** Errors of connections to model servers, and of responses that are no HTTP. */
import { AppError } from '../../errors';
import { describeConnectionProblem } from '../network/connection_problem';
import { ProxyError } from '../network/proxy_error';
import { badResponse, inBoth, LastingError, type Text, timeoutError } from './model_errors';

/** The connection failed behind the head of the response. */
export function connectionLost(cause: Error & { code?: unknown; data?: unknown }): AppError {
  const [en, zhCN] = invalidHttpOf(describeConnectionProblem(cause).code, cause) ?? ['', ''];
  const texts = inBoth([
    `The connection to the model server broke before the answer was complete${en && `: ${en}`}.`,
    `回答尚未完成，与模型服务器的连接就中断了${zhCN && `：${zhCN}`}。`,
  ]);
  return new AppError('model_unreachable', { ...texts, cause });
}

/** The connection could not be made in time. `proxy`: the name of the proxy that it goes through. */
export function connectTimeout(limitMs: number, proxy: string | undefined): AppError {
  const error = timeoutError('connect', limitMs);
  if (proxy === undefined) return error;
  const texts = inBoth([`${error.message} It goes through the proxy ${proxy}.`, `${error.messageZh}连接经过代理 ${proxy}。`]);
  return new AppError('model_timeout', { ...texts, details: { phase: 'connect' } });
}

/** Converts the error of a connection that failed before a response. Returns an AppError unchanged. */
export function toConnectionError(cause: Error & { code?: unknown; data?: unknown }): AppError {
  if (cause instanceof AppError) return cause;
  if (cause instanceof ProxyError) {
    const texts = { message: cause.message, messageZh: cause.messageZh };
    return new (cause.isPassing ? AppError : LastingError)('model_unreachable', { ...texts, cause });
  }
  const { code, reason, isCertificate } = describeConnectionProblem(cause);
  const invalid = invalidHttpOf(code, cause);
  if (invalid) return badResponse(invalid, cause);
  const texts = inBoth([`The model server cannot be reached: ${reason[0]} (${code}).`, `无法连接模型服务器：${reason[1]}（${code}）。`]);
  return new (isCertificate ? LastingError : AppError)('model_unreachable', { ...texts, cause });
}

/** Returns a clause about bytes that are no HTTP/1.1 response; undefined for another error. */
function invalidHttpOf(code: string, { name, message, data }: Error & { data?: unknown }): Text | undefined {
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return ['its headers are longer than 64 KiB', '响应头超过 64 KiB'];
  // The words of undici for an interim response, or an upgrade, that was not asked for.
  if (code === 'UND_ERR_SOCKET' && message.startsWith('bad '))
    return ['it has an answer 100 or 101 that was not asked for', '含有未被请求的 100 或 101 响应'];
  // The parser of undici has this name, that of node:http these codes.
  if (name !== 'HTTPParserError' && !code.startsWith('HPE_')) return undefined;
  if (isHttp2(data))
    return [
      'it is HTTP/2, and the gateway asks in HTTP/1.1: give an address that takes HTTP/1.1',
      '它是 HTTP/2，而网关使用 HTTP/1.1：请提供支持 HTTP/1.1 的地址',
    ];
  const why = /\(([^)]+)\)/.exec(message)?.[1];
  return why === undefined ? ['it is not valid HTTP', '不是有效的 HTTP'] : [`it is not valid HTTP (${why})`, `不是有效的 HTTP（${why}）`];
}

/** A server that speaks HTTP/2 alone begins with a frame of the type SETTINGS on stream 0. */
const isHttp2 = (data: unknown): boolean => typeof data === 'string' && data.startsWith('\0\0') && data[3] === '\u0004';
