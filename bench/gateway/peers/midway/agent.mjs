/** The recommended loop: `openai` for the request, an SSE reader of our own, deltas merged within one turn of the event loop. */
import OpenAI from 'openai';
import { INSTRUCTIONS, TOOLS } from '../../hosts/agent_tools.mjs';
import { readEvents } from './sse_reader.mjs';

const client = new OpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' });
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools = TOOLS.map(({ name, description }) => ({ type: 'function', function: { name, description, parameters } }));
const RUN = Object.fromEntries(TOOLS.map(({ name, run }) => [name, run]));
const sessions = new Map();

/** Runs one turn of the session; `onDelta` gets the text of one turn of the event loop. */
export async function runTurn(sessionId, text, onDelta) {
  const messages = sessions.get(sessionId) ?? [{ role: 'system', content: INSTRUCTIONS }];
  sessions.set(sessionId, messages);
  messages.push({ role: 'user', content: text });
  const deltas = mergeDeltas(onDelta);
  for (;;) {
    const { content, calls } = await callModel(messages, deltas.add);
    deltas.flush();
    messages.push({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) });
    if (calls.length === 0) return;
    const results = await Promise.all(calls.map(call => RUN[call.function.name](JSON.parse(call.function.arguments))));
    messages.push(...calls.map((call, i) => ({ role: 'tool', tool_call_id: call.id, content: results[i] })));
  }
}

async function callModel(messages, onText) {
  const response = await client.chat.completions.create({ model: 'scripted', messages, tools, stream: true }).asResponse();
  let content = '';
  const calls = [];
  await readEvents(response.body, ({ choices }) => {
    const delta = choices[0]?.delta;
    if (delta?.content) {
      content += delta.content;
      onText(delta.content);
    }
    for (const part of delta?.tool_calls ?? []) {
      calls[part.index] ??= { id: part.id, type: 'function', function: { name: part.function.name, arguments: '' } };
      calls[part.index].function.arguments += part.function.arguments ?? '';
    }
  });
  return { content, calls };
}

function mergeDeltas(onDelta) {
  let pending = '';
  const flush = () => {
    if (pending === '') return;
    const text = pending;
    pending = '';
    onDelta(text);
  };
  return {
    flush,
    add(text) {
      if (pending === '') setImmediate(flush);
      pending += text;
    },
  };
}
