/** Mastra: an agent with an OpenAI-compatible model, streaming. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { INSTRUCTIONS, TOOLS } from '../../hosts/agent_tools.mjs';
import { serveSockets } from '../../hosts/serve_sockets.mjs';

const inputSchema = z.object({ path: z.string() });
const tools = Object.fromEntries(
  TOOLS.map(({ name, description, run }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema,
      outputSchema: z.object({ text: z.string() }),
      execute: async input => ({ text: await run(input) }),
    }),
  ]),
);
const agent = new Agent({
  id: 'assistant',
  name: 'assistant',
  instructions: INSTRUCTIONS,
  model: { id: 'custom/scripted', url: process.env.OPENAI_BASE_URL, apiKey: 'none' },
  tools,
});
const sessions = new Map();

serveSockets(async (sessionId, text, onDelta) => {
  const messages = sessions.get(sessionId) ?? [];
  sessions.set(sessionId, messages);
  messages.push({ role: 'user', content: text });
  const result = await agent.stream(messages, { maxSteps: 10 });
  for await (const piece of result.textStream) onDelta(piece);
  messages.push(...(await result.response).messages);
});
