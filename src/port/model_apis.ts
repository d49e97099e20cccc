/** The forms of requests that model servers take. The table in docs/guides/models.md says the same to people. */

export const MODEL_APIS = ['chat', 'responses', 'anthropic', 'google'] as const;
/** chat: chat completions, which most servers take. The others are the vendors' own forms. */
export type ModelApi = (typeof MODEL_APIS)[number];

interface ApiRule {
  api: ModelApi;
  host: RegExp;
  /** Paths of the host that have another form. */
  exceptPath?: RegExp;
}

/** The servers whose own form is used when a definition names none. */
const RULES: readonly ApiRule[] = [
  { api: 'anthropic', host: /^api\.anthropic\.com$/ },
  { api: 'google', host: /^generativelanguage\.googleapis\.com$/, exceptPath: /\/openai\/?$/ },
];

export interface ApiChoice {
  api?: ModelApi;
  /** Absent: OpenAI's own. */
  baseUrl?: string;
}

/** Returns the named API, otherwise the one of the server. Every server that no rule knows gets chat completions. */
export function apiOf({ api, baseUrl }: ApiChoice): ModelApi {
  if (api) return api;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return 'chat';
  const { hostname, pathname } = new URL(baseUrl);
  return RULES.find(({ host, exceptPath }) => host.test(hostname) && !exceptPath?.test(pathname))?.api ?? 'chat';
}

/** Addresses of the vendors, as their own clients have them. */
const VENDOR_URLS: Readonly<Record<ModelApi, string>> = {
  chat: 'https://api.openai.com/v1',
  responses: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
};

/** Returns the base URL of a definition, or the one of the vendor. */
export const baseUrlOf = (choice: ApiChoice): string => choice.baseUrl || VENDOR_URLS[apiOf(choice)];

/** The ends of addresses that the vendors' clients add themselves. */
const ADDED_PATHS: Readonly<Partial<Record<ModelApi, RegExp>>> = {
  anthropic: /\/v1$/,
  google: /(?:\/v\d+(?:alpha|beta)?\d*)?(?:\/openai)?$/,
};

/** Returns the address of a server without the paths that may be written or left out, so that the same server has one address. */
export function serverAddressOf(choice: ApiChoice): string {
  const address = baseUrlOf(choice).replace(/\/+$/, '');
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  const api = choice.api ?? RULES.find(rule => rule.host.test(host))?.api ?? 'chat';
  return address.replace(ADDED_PATHS[api] ?? '', '');
}
