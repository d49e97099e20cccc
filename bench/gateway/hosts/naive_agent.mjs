/** The loop that many people write first: iterate the stream of the `openai` client and hand over each delta. */
import OpenAI from 'openai';
import { INSTRUCTIONS, toolsOfScenario } from './agent_tools.mjs';

const client = new OpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' });

const scenarioTools = toolsOfScenario();
const TOOLS = scenarioTools.map(({ name, description, parameters }) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map(parameter => [parameter, { type: 'string' }])),
      required: parameters,
    },
  },
}));
const RUN = Object.fromEntries(scenarioTools.map(({ name, run }) => [name, run]));

const sessions = new Map();

/** Runs one turn of the session; `onDelta` gets each piece of text. */
export async function runTurn(sessionId, text, onDelta) {
  const messages = sessions.get(sessionId) ?? [{ role: 'system', content: INSTRUCTIONS }];
  sessions.set(sessionId, messages);
  messages.push({ role: 'user', content: text });
  for (;;) {
    const stream = await client.chat.completions.create({ model: 'scripted', messages, tools: TOOLS, stream: true });
    const answer = { role: 'assistant', content: '' };
    const calls = [];
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta;
      if (delta?.content) {
        answer.content += delta.content;
        onDelta(delta.content);
      }
      for (const part of delta?.tool_calls ?? []) {
        calls[part.index] ??= { id: part.id, type: 'function', function: { name: part.function.name, arguments: '' } };
        calls[part.index].function.arguments += part.function.arguments ?? '';
      }
    }
    messages.push(calls.length > 0 ? { ...answer, tool_calls: calls } : answer);
    if (calls.length === 0) return;
    for (const call of calls) {
      const content = await RUN[call.function.name](JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}
