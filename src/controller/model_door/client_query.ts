/** Query parameters that clients add to every request at /v1: those for Azure, for Anthropic, and Codex. They have no meaning here. */
export const CLIENT_QUERY: readonly string[] = ['api-version', 'beta', 'client_version'];
