/** Uses a gateway through Vercel's AI SDK, whose packages are ES modules, and prints what it got as JSON. Arguments: the base URL of /v1, the API key. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const model = createOpenAICompatible({ name: 'neta', baseURL: process.argv[2], apiKey: process.argv[3], includeUsage: true })('default');
const parameters = { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] };
const get_price = tool({
  description: 'Returns a price',
  inputSchema: jsonSchema(parameters),
  execute: async ({ article }) => `4 crowns for ${article}`,
});

const generated = await generateText({ model, prompt: 'plain sdk' });
const streamed = streamText({ model, prompt: 'plain sdk stream' });
const bought = await generateText({ model, prompt: 'price sdk', tools: { get_price }, stopWhen: stepCountIs(3) });

const result = {
  text: generated.text,
  inputTokens: generated.usage.inputTokens,
  streamed: await streamed.text,
  streamedTokens: (await streamed.usage).outputTokens,
  bought: bought.text,
  steps: bought.steps.length,
};
process.stdout.write(JSON.stringify(result));
