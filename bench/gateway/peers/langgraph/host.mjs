/** LangGraph: the prebuilt ReAct agent with its memory saver, streaming messages. */
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { INSTRUCTIONS, TOOLS } from '../../hosts/agent_tools.mjs';
import { serveSockets } from '../../hosts/serve_sockets.mjs';

const llm = new ChatOpenAI({ model: 'scripted', apiKey: 'none', streaming: true, configuration: { baseURL: process.env.OPENAI_BASE_URL } });
const schema = z.object({ path: z.string() });
const agent = createReactAgent({
  llm,
  tools: TOOLS.map(({ name, description, run }) => tool(run, { name, description, schema })),
  prompt: INSTRUCTIONS,
  checkpointer: new MemorySaver(),
});

serveSockets(async (sessionId, text, onDelta) => {
  const config = { configurable: { thread_id: sessionId }, streamMode: 'messages' };
  const stream = await agent.stream({ messages: [{ role: 'user', content: text }] }, config);
  for await (const [message, { langgraph_node: node }] of stream) {
    if (node === 'agent' && message.content) onDelta(message.content);
  }
});
