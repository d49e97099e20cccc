/** Another service that calls inbound webhooks of a gateway. */
import { Webhook } from 'standardwebhooks';
import type { RestClient } from './rest_client';

export interface MadeHook {
  id: string;
  url: string;
  secret: string;
  sessionId?: string;
}

export interface HookAnswer {
  status: number;
  headers: Headers;
  body: { runId: string; sessionId: string; status: string; error?: { code: string; message: string; param?: string } };
}

export const makeHook = async (rest: RestClient, fields: Record<string, unknown>): Promise<MadeHook> =>
  (await rest.request<MadeHook>('POST', '/hooks', { name: 'deploys', ...fields })).body;

export async function post(url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<HookAnswer> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as HookAnswer['body'] };
}

/** Calls with the secret as bearer token. */
export const callWithSecret = ({ url, secret }: MadeHook, body: unknown, headers: Record<string, string> = {}): Promise<HookAnswer> =>
  post(url, typeof body === 'string' ? body : JSON.stringify(body), { authorization: `Bearer ${secret}`, ...headers });

/** The headers that the reference library of Standard Webhooks makes. */
export const signedHeaders = (secret: string, id: string, body: string, at = new Date()): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(secret).sign(id, at, body),
});

export const callSigned = ({ url, secret }: MadeHook, id: string, body: string, at?: Date): Promise<HookAnswer> =>
  post(url, body, signedHeaders(secret, id, body, at));
