import { joinUrl } from '../../utils/join_url';

/** The header that Anthropic's own routes, such as its list of models, want beside the key. */
const ANTHROPIC_VERSION = '2023-06-01';

/** Returns the headers that show the key for a list of models. Anthropic takes the usual header for chat completions alone. */
function keyHeaders({ hostname }: URL, apiKey: string | undefined): Record<string, string> {
  if (!apiKey) return {};
  const usual = { authorization: `Bearer ${apiKey}` };
  return hostname === 'api.anthropic.com' ? { ...usual, 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION } : usual;
}

/** The request for the list of models of a server. */
export interface ModelListing {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Hidden in errors. */
  apiKey: string | undefined;
}

/** `baseUrl`: of an OpenAI-compatible API. */
export function chatListing({ baseUrl, apiKey }: { baseUrl: string; apiKey: string | undefined }): ModelListing {
  const url = joinUrl(baseUrl, '/models');
  return { url, headers: keyHeaders(url, apiKey), apiKey };
}
