/** Revokes a token at an authorization server. */
import type { OAuthClientInformation } from '@modelcontextprotocol/client';
import type { Fetch } from './http_transport';

/** Sends a revocation (RFC 7009). Rejects when the server does not take it. */
export async function revokeToken(
  endpoint: string,
  { token, hint, client }: { token: string; hint: string; client: OAuthClientInformation },
  fetchFn: Fetch,
): Promise<void> {
  const { client_id: id, client_secret: secret } = client;
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  const basic = [id, secret ?? ''].map(encodeURIComponent).join(':');
  if (secret !== undefined) headers['authorization'] = `Basic ${Buffer.from(basic).toString('base64')}`;
  const form = new URLSearchParams({ token, token_type_hint: hint, ...(secret === undefined && { client_id: id }) });
  const response = await fetchFn(endpoint, { method: 'POST', headers, body: form.toString() });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The revocation was answered with ${response.status}.`);
}
