/** Descriptions, parameters and refusals of a tool name no other tool, because the agent may lack it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinTools } from '../../src/builtin_tools';
import { assembleTools } from '../../src/runtime/tool_assembler';
import { getAllToolNames, getSchema } from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';

const ROOT = join(__dirname, '../../src');
const ALL = getAllToolNames();
/** Names that are also ordinary words count only after a word such as `use`. */
const WORDS = new Set(['search', 'patch', 'terminal', 'echo', 'todo', 'escalate', 'cron']);

function strangersIn(text: string, toolNames: readonly string[]): string[] {
  return ALL.filter(name => {
    if (toolNames.includes(name)) return false;
    const pattern = WORDS.has(name) ? `(?:use|using|with|prefer|call|用|使用|调用) ?\`?${name}(?![\\w])` : `(?<![\\w.])${name}(?![\\w])`;
    return new RegExp(pattern, 'i').test(text);
  });
}

describe.each([['files'], ['base'], ['terminal'], ['web'], ['data'], ['planning'], ['interaction'], ['utility'], ['jobs']])(
  'the toolset %s alone',
  toolset => {
    it.each(['en', 'zh-CN'] as const)('names no tool outside the toolset, in %s', locale => {
      const { names, wireTools } = assembleTools(builtinTools(), { toolsets: [toolset] }, locale);
      expect(names.length).toBeGreaterThan(0);
      for (const tool of wireTools)
        expect([tool.function.name, strangersIn(JSON.stringify(tool), names)]).toEqual([tool.function.name, []]);
    });
  },
);

it.each(builtinTools().map(({ name }) => name))('%s alone names no other tool', name => {
  for (const locale of ['en', 'zh-CN'] as const) {
    const { wireTools } = assembleTools(builtinTools(), { toolsets: [], names: [name] }, locale);
    expect(strangersIn(JSON.stringify(wireTools), [name])).toEqual([]);
  }
});

/** Returns the string literals of a source, without comments and import lines. */
function stringsOf(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter(line => !/^\s*(\/\/|import |name: |doubles: )/.test(line))
    .join('\n');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text);
}

/** Lines of the prompt may name other tools: each line says which ones it needs. */
const PROMPT_LINES = new Set(
  ALL.flatMap(name => {
    const { whenToUse = [], beforeUse = [], howToUse } = getSchema(name) as ToolSpec;
    const lines = [...(typeof whenToUse === 'string' ? [] : whenToUse), ...beforeUse, ...(howToUse?.lines ?? [])];
    return lines.flatMap(line => [line.en, line['zh-CN']]);
  }),
);

it('no sentence in the sources of tools and runner names another tool', () => {
  const ofFeatures = ['crew', 'jobs', 'memory', 'search', 'skills'].map(feature => `feature/${feature}/tools`);
  const folders = ['tools', 'tools/builtin', 'tools/files', 'tools/data_services', 'runtime', 'feature/skills/document', ...ofFeatures];
  const files = folders.flatMap(folder =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(entry => `${folder}/${entry.name}`),
  );
  const found = files.flatMap(file => {
    const own = /(\w+)\.ts$/.exec(file)?.[1] ?? '';
    // An agent has the toolset crew whole or not at all, so its tools may name each other.
    // terminal names bash only in a direct call, which can reach every tool.
    const known = own === 'delegate' ? ALL : own === 'terminal' ? [own, 'bash'] : [own];
    const isSentence = (text: string) => /[ ，。,]/.test(text) && !PROMPT_LINES.has(text.slice(1, -1));
    const sentences = stringsOf(readFileSync(join(ROOT, file), 'utf8')).filter(isSentence);
    return sentences.filter(text => strangersIn(text, known).length > 0).map(text => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});
