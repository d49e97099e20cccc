/** Vercel AI SDK: `streamText` with tools and a limit of steps. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, streamText, tool } from 'ai';
import { z } from 'zod';
import { INSTRUCTIONS, TOOLS } from '../../hosts/agent_tools.mjs';
import { serveSockets } from '../../hosts/serve_sockets.mjs';

const provider = createOpenAICompatible({ name: 'scripted', baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none', includeUsage: true });
const model = provider('scripted');
const inputSchema = z.object({ path: z.string() });
const tools = Object.fromEntries(TOOLS.map(({ name, description, run }) => [name, tool({ description, inputSchema, execute: run })]));
const sessions = new Map();

serveSockets(async (sessionId, text, onDelta) => {
  const messages = sessions.get(sessionId) ?? [];
  sessions.set(sessionId, messages);
  messages.push({ role: 'user', content: text });
  const result = streamText({ model, instructions: INSTRUCTIONS, messages, tools, stopWhen: isStepCount(10) });
  for await (const piece of result.textStream) onDelta(piece);
  messages.push(...(await result.response).messages);
});
