/** OpenAI Agents SDK with the chat completions API, without tracing. */
import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { INSTRUCTIONS, TOOLS } from '../../hosts/agent_tools.mjs';
import { serveSockets } from '../../hosts/serve_sockets.mjs';

setTracingDisabled(true);
setOpenAIAPI('chat_completions');
setDefaultOpenAIClient(new OpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' }));
const parameters = z.object({ path: z.string() });
const agent = new Agent({
  name: 'assistant',
  instructions: INSTRUCTIONS,
  model: 'scripted',
  tools: TOOLS.map(({ name, description, run: execute }) => tool({ name, description, parameters, execute })),
});
const sessions = new Map();

serveSockets(async (sessionId, text, onDelta) => {
  const result = await run(agent, [...(sessions.get(sessionId) ?? []), { role: 'user', content: text }], { stream: true });
  for await (const piece of result.toTextStream()) onDelta(piece);
  await result.completed;
  sessions.set(sessionId, result.history);
});
