/**
 * Uses the tools of neta-gateway in a program of its own: defines two tools, offers them to a model, and runs the calls of the model's answer.
 * OPENAI_BASE_URL and OPENAI_API_KEY say where the model is; docs/guides/write-a-tool.md says how to compile and start this file.
 */
import { AgentTool, defineTool, errorResult, registry, type Static, ToolExecutor, Type, textResult, toolsOf } from 'neta-gateway/tools';

const CityParameters = Type.Object({ city: Type.String({ description: 'Name of the city' }) }, { additionalProperties: false });

const POPULATION = new Map([
  ['Oslo', 717_710],
  ['Lima', 10_092_000],
]);

/** A tool as data and one function. */
const population = defineTool({
  name: 'population',
  toolset: 'cities',
  label: 'Population',
  description: 'Tells how many people live in a city.',
  effect: 'read',
  parameters: CityParameters,
  async execute({ city }) {
    const people = POPULATION.get(city);
    return people === undefined ? errorResult(`The population of ${city} is not known.`) : textResult(`${people} people live in ${city}.`);
  },
});

/** A tool as a method, for tools that need the object. */
class Travel {
  private readonly visited: string[] = [];

  @AgentTool({
    name: 'visit',
    toolset: 'cities',
    label: 'Visit',
    description: 'Notes that a city was visited.',
    effect: 'write',
    parameters: CityParameters,
  })
  visit({ city }: Static<typeof CityParameters>): string {
    this.visited.push(city);
    return `Visited so far: ${this.visited.join(', ')}.`;
  }
}

for (const tool of [population, ...toolsOf(new Travel())]) registry.register(tool);
const executor = new ToolExecutor({ registry });

const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY = '', OPENAI_MODEL = 'gpt-5-mini' } = process.env;
interface Message {
  role: string;
  content?: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
const messages: Message[] = [{ role: 'user', content: process.argv.slice(2).join(' ') }];

for (let turn = 0; turn < 10; turn++) {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify(executor.buildRequest(messages, { model: OPENAI_MODEL })),
  });
  if (!response.ok) throw new Error(`The model server answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: { message: Message }[] };
  const answer = choices[0]?.message;
  if (!answer) throw new Error('The model server sent no message.');
  messages.push(answer);
  const results = await executor.processToolCalls(answer.tool_calls);
  if (results.length === 0) break;
  for (const { tool_call_id, content } of results) console.log(`${tool_call_id}: ${content}`);
  messages.push(...results);
}
console.log(messages.at(-1)?.content);
