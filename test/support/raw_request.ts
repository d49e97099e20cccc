/** Sends an HTTP request with headers that `fetch` does not allow (Host), or with a raw body. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export function rawRequest(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, async response => {
      let text = '';
      try {
        for await (const piece of response.setEncoding('utf8')) text += piece;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      } catch (thrown) {
        reject(thrown);
      }
    });
    request.once('error', reject);
    request.end(body);
  });
}
