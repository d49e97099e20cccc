/** The tools of the hosts that the gateway is compared with: name, description and what they do with the workspace of the bench. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const WORKSPACE = process.env.BENCH_WORKSPACE;
const at = path => join(WORKSPACE, path);

export const INSTRUCTIONS = 'You are a helpful assistant.';

/** `parameters`: names of the arguments, which are all texts. */
export const TOOLS = [
  {
    name: 'list_dir',
    description: 'Lists a directory.',
    parameters: ['path'],
    run: async ({ path }) => (await readdir(at(path))).join('\n'),
  },
  { name: 'read_file', description: 'Reads a text file.', parameters: ['path'], run: ({ path }) => readFile(at(path), 'utf8') },
];

const PATCH = {
  name: 'patch',
  description: 'Replaces a text in a file.',
  parameters: ['path', 'old_string', 'new_string'],
  async run({ path, old_string, new_string }) {
    const text = await readFile(at(path), 'utf8');
    await writeFile(
      at(path),
      text.replace(old_string, () => new_string),
    );
    return 'Replaced.';
  },
};

const sayHello = i => ({
  name: `extra_tool_${i}`,
  description: `Extra tool ${i} of the bench.`,
  parameters: ['path'],
  run: async () => 'hello',
});

/** The tools above, `patch`, and as many more as the scenario asks for. */
export const toolsOfScenario = () => {
  const tools = [...TOOLS, PATCH];
  const wanted = Number(process.env.BENCH_TOOLS ?? tools.length);
  return [...tools, ...Array.from({ length: wanted - tools.length }, (_, i) => sayHello(i))];
};
