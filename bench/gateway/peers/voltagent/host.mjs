/** VoltAgent: an agent with its memory in the process, streaming. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent, createTool, InMemoryStorageAdapter, Memory } from '@voltagent/core';
import { z } from 'zod';
import { INSTRUCTIONS, TOOLS } from '../../hosts/agent_tools.mjs';
import { serveSockets } from '../../hosts/serve_sockets.mjs';

const provider = createOpenAICompatible({ name: 'scripted', baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none', includeUsage: true });
const parameters = z.object({ path: z.string() });
const agent = new Agent({
  name: 'assistant',
  instructions: INSTRUCTIONS,
  model: provider('scripted'),
  tools: TOOLS.map(({ name, description, run }) => createTool({ name, description, parameters, execute: run })),
  memory: new Memory({ storage: new InMemoryStorageAdapter() }),
  maxSteps: 10,
});

serveSockets(async (sessionId, text, onDelta) => {
  const result = await agent.streamText(text, { userId: 'bench', conversationId: sessionId });
  for await (const piece of result.textStream) onDelta(piece);
  await result.text;
});
