/** Why a connection cannot be made, in words. */

/** A clause in English and in Chinese; `it` stands for the server. */
type Clause = readonly [en: string, zhCN: string];

const CLOSED: Clause = ['it closed the connection', '它关闭了连接'];
const SLOW: Clause = ['it did not answer in time', '它没有及时应答'];

const REASONS: Readonly<Record<string, Clause>> = {
  ECONNREFUSED: ['nothing listens at its address', '它的地址上没有服务'],
  ENOTFOUND: ['its host name is not known', '找不到它的主机名'],
  EAI_AGAIN: ['its host name cannot be looked up now', '暂时无法解析它的主机名'],
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ETIMEDOUT: SLOW,
  UND_ERR_CONNECT_TIMEOUT: SLOW,
};

export interface ConnectionProblem {
  code: string;
  reason: Clause;
  isCertificate: boolean;
}

/** Names with several addresses fail with an AggregateError, which has the code of its errors. */
export function describeConnectionProblem({ code: given }: Error & { code?: unknown }): ConnectionProblem {
  const code = typeof given === 'string' ? given : 'unknown';
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
  const other: Clause = isCertificate ? ['its certificate is not trusted', '它的证书不受信任'] : ['the network failed', '网络出错'];
  return { code, reason: REASONS[code] ?? other, isCertificate };
}
