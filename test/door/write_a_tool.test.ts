/** Follows the guide for writing a tool: adds its file, its catalog line and its class to a copy of the build, then makes the call that it shows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { type AgentBench, startBench } from '../support/agent_bench';
import { addTool, compileInto } from '../support/built_source';
import type { ModelRequest } from '../support/mock_model';

const ROOT = join(__dirname, '../..');

/** The code blocks of one kind, in order. */
const blocksOf = (guide: string, kind: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '');

async function followGuide(copy: BuildCopy, guide: string): Promise<void> {
  const [file = '', line = ''] = blocksOf(guide, 'ts');
  const [importLine = ''] = line.split('\n');
  const entry = /^ {2}(\w+),\n\];/m.exec(line)?.[1] ?? '';
  await addTool(copy, { file: 'word_count.ts', code: file, importLine, exportName: entry });
  const [toolClass = '', classList = ''] = blocksOf(guide, 'ts').slice(-2);
  await compileInto(copy, 'session_tools.ts', toolClass);
  await compileInto(copy, 'tool_classes.ts', classList);
}

describe.each(['write-a-tool.md', 'write-a-tool.zh-CN.md'])('a tool made after docs/guides/%s (nanoclaw.define)', name => {
  let guide: string;
  let copy: BuildCopy;
  let bench: AgentBench;

  beforeAll(async () => {
    guide = await readFile(join(ROOT, 'docs/guides', name), 'utf8');
    copy = await copyBuild();
    await followGuide(copy, guide);
    bench = await startBench({ root: copy.root, files: { 'notes.txt': 'hello there\n' } });
  });
  afterAll(async () => {
    await bench?.stop();
    await copy?.remove();
  });

  it('the call in the guide returns the result in the guide', async () => {
    const call = blocksOf(guide, 'sh').flatMap(code => /-d '(.*)'/.exec(code)?.[1] ?? []);
    const { body } = await bench.rest.request('POST', '/tools/call', call[0]);
    expect(body).toMatchObject(JSON.parse(blocksOf(guide, 'json')[0] ?? '') as object);
  });

  it('the agent has the tool, the prompt says when to use it, and a run can call it', async () => {
    bench.model.onTurn('how long is it', { toolCalls: [{ name: 'word_count', arguments: { path: 'notes.txt' } }] }, 'two words');
    const { body } = await bench.rest.run({ input: 'how long is it', locale: name.includes('zh') ? 'zh-CN' : 'en' });
    expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'word_count', ok: true })]);
    const request = bench.model.requests('how long is it').at(-1) as ModelRequest;
    expect(request.toolNames).toContain('word_count');
    expect(request.body.messages[0]?.content).toMatch(/→ word_count/);
    expect(request.toolResults[0]).toMatch(/2 words|2 个词/);
  });

  it('the method of the class is a tool in runs, in direct calls and in the catalog, with the services of its object', async () => {
    const call = { name: 'find_sessions', arguments: { word: 'beans' } };
    bench.model.onTurn('where are the beans', { toolCalls: [call] }, 'here');
    const { body } = await bench.rest.run({ input: 'where are the beans' });
    expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'find_sessions', ok: true })]);
    const request = bench.model.requests('where are the beans').at(-1) as ModelRequest;
    expect(request.toolNames).toContain('find_sessions');
    expect(request.toolResults).toEqual(['where are the beans']);
    const direct = await bench.rest.request('POST', '/tools/call', { toolName: 'find_sessions', parameters: { word: 'elephants' } });
    expect(direct.body).toMatchObject({ status: 'success', message: 'No title has elephants.' });
    const tools = await bench.rest.request<{ tools: object[] }>('GET', '/tools');
    expect(JSON.stringify(tools.body)).toContain('Finds titles of the latest 100 conversations');
  });
});
