/** The ways into the gateway, as runs record them. */
export const DOOR_NAMES = ['socketio', 'rest', 'openai', 'responses', 'anthropic', 'agui', 'mcp', 'job', 'hook', 'child'] as const;
