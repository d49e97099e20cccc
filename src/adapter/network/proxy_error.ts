import { describeConnectionProblem } from './connection_problem';
import type { HttpProxy } from './proxy';

export interface ProxyProblem {
  /** The status with which the proxy answered. */
  status?: number;
  /** Why the proxy itself cannot be reached. */
  cause?: Error;
}

/** The proxy failed before the server was reached. The texts name the proxy without its password. */
export class ProxyError extends Error {
  readonly messageZh: string;
  /** False: asking once more cannot help. */
  readonly isPassing: boolean;

  constructor({ name, variable }: HttpProxy, target: string, { status, cause }: ProxyProblem) {
    const [en, zhCN] = textOf(target, variable, { status, cause });
    super(`The proxy ${name} ${en}`, { cause });
    this.messageZh = `代理 ${name} ${zhCN}`;
    this.isPassing = status === undefined ? !cause || !describeConnectionProblem(cause).isCertificate : status >= 500;
  }
}

/** Statuses with which a proxy that forwards requests answers in place of the server; most servers have JSON for them. */
const PROXY_STATUSES = [403, 502, 503, 504];

/** Returns true when a proxy that forwards requests has probably written the answer itself. */
export const answersItself = (status: number, isPage: boolean): boolean => status === 407 || (isPage && PROXY_STATUSES.includes(status));

/** Converts an error of node:http that went through a proxy; the error stays as it is when it came from behind the proxy. */
export function toProxyProblem(proxy: HttpProxy, url: URL, error: { statusCode?: unknown } | Error): Error {
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
  if (status !== undefined) return new ProxyError(proxy, url.host, { status });
  const cause = error as Error;
  // A tunnel ends at the server, whose certificate the error is about.
  return url.protocol === 'https:' && describeConnectionProblem(cause).isCertificate ? cause : new ProxyError(proxy, url.host, { cause });
}

function textOf(target: string, variable: string, { status, cause }: ProxyProblem): readonly [en: string, zhCN: string] {
  if (status === 407)
    return [
      `does not accept the user and the password (HTTP 407): check ${variable}.`,
      `不接受用户名和密码（HTTP 407）：请检查 ${variable}。`,
    ];
  if (status !== undefined) return [`refused to connect to ${target} (HTTP ${status}).`, `拒绝连接 ${target}（HTTP ${status}）。`];
  const { code, reason } = describeConnectionProblem(cause ?? new Error());
  return [
    `cannot be reached: ${reason[0]} (${code}). Check ${variable}, or name ${target} in NO_PROXY.`,
    `无法连接：${reason[1]}（${code}）。请检查 ${variable}，或在 NO_PROXY 中写上 ${target}。`,
  ];
}
