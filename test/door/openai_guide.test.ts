/** The samples of docs/guides/openai-*.md, anthropic-messages.md, ag-ui.md and mcp-server.md run as they stand on a gateway without keys, in both languages. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentBench, startBench } from '../support/agent_bench';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('list the files', 'There are two files.');
  bench.model.onTurn('Write the summary', 'The person listed the files.');
  bench.model.onTurn(
    'what does tea cost',
    { toolCalls: [{ name: 'get_price', arguments: { article: 'tea' } }] },
    ({ toolResults }) => `I asked: ${toolResults.at(-1)}.`,
  );
});

afterAll(() => bench.stop());

function samplesOf(guide: string): { language: string; code: string }[] {
  const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8');
  return [...text.matchAll(/^```(js|sh)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }));
}

const GUIDES: [guide: string, outputs: unknown[]][] = [
  [
    'openai-clients',
    [
      'There are two files.',
      expect.stringContaining('"content":"There are two files."'),
      expect.stringMatching(/^I asked: .*tea: 4 crowns.*$/),
    ],
  ],
  ['openai-responses', ['There are two files.', 'There are two files.', 'message\nmessage', 'There are two files.']],
  [
    'anthropic-messages',
    [
      'There are two files.',
      expect.stringContaining('"text":"There are two files."'),
      expect.stringMatching(/^I asked: .*tea: 4 crowns.*$/),
    ],
  ],
  ['mcp-server', ['There are two files.', '']],
  ['ag-ui', ['There are two files.', expect.stringContaining('"delta":"There are two files."')]],
];

it.each(GUIDES)('%s has the same samples in both languages', guide => {
  expect(samplesOf(`${guide}.zh-CN.md`)).toEqual(samplesOf(`${guide}.md`));
});

it.each(GUIDES)('runs each sample of %s', async (guide, expected) => {
  const outputs = [];
  for (const { language, code } of samplesOf(`${guide}.md`)) {
    const here = code.replaceAll('http://127.0.0.1:7001', bench.gateway.url);
    const command = language === 'js' ? [process.execPath, '--input-type=module', '-e', here] : ['bash', '-c', here];
    const [program = '', ...args] = command;
    outputs.push((await run(program, args, { cwd: ROOT })).stdout.trim());
  }
  expect(outputs).toEqual(expected);
});
