/** The ways into the gateway, as runs record them. */
export const DOOR_NAMES = ['socketio', 'rest', 'openai', 'responses', 'anthropic', 'agui', 'mcp', 'a2a', 'job', 'hook', 'child'] as const;
