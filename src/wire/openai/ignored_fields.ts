/**
 * Fields of requests to /v1 that clients send and that change nothing here. Any other unknown field is refused, so that a misspelled one is
 * noticed.
 */
const IGNORED: ReadonlySet<string> = new Set([
  // OpenAI: storage, caches and tiers of its own service.
  'store',
  'service_tier',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
  'web_search_options',
  'moderation',
  // Open WebUI.
  'background_tasks',
  'chat_id',
  'features',
  'files',
  'filter_ids',
  'folder_id',
  'id',
  'message_id',
  'model_item',
  'options',
  'params',
  'parent_id',
  'parent_message',
  'session_id',
  'skill_ids',
  'terminal_id',
  'tool_ids',
  'tool_servers',
  'user_message',
  'variables',
  // Other clients and proxies, most of all for local models.
  'cache_prompt',
  'enable_thinking',
  'include_reasoning',
  'keep_alive',
  'min_p',
  'plugins',
  'provider',
  'reasoning',
  'repetition_penalty',
  'thinking',
  'top_k',
  'transforms',
  'usage',
]);

/** Returns the fields of a request that count: those with null and the ignored ones are left out. Other values are returned as they are. */
export function relevantFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null && !IGNORED.has(name)));
}
