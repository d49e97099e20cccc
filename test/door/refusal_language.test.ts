/** Refused calls of a Chinese run: each text is all in Chinese and names the next step once. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ModelRequest, ScriptedCall } from '../support/mock_model';

const BLOCK = `function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}
`;
const LINES = `const limit = 30;\nconst same = 1;\nconst text = read();\nconst same = 1;\n${BLOCK}`;

/** Four English words that follow each other; quoted text and lists of names are left out first. */
const ENGLISH = /[A-Za-z]{2,}(?: [A-Za-z]{2,}){3}/;
const withoutQuotes = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/文件中为：[\s\S]*/, '');

const patch = (old_string: string, new_string: string): ScriptedCall => ({
  name: 'patch',
  arguments: { path: 'code.ts', old_string, new_string },
});

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ files: { 'code.ts': LINES, 'long.txt': `${'a'.repeat(2_500)}\n` } });
});

afterAll(() => bench?.stop());

async function resultsOf(input: string, toolCalls: ScriptedCall[], locale: string): Promise<string[]> {
  bench.model.onTurn(input, { toolCalls }, 'done');
  await bench.rest.run({ input, locale });
  return (bench.model.requests(input).at(-1) as ModelRequest).toolResults;
}

const REFUSED: [what: string, call: ScriptedCall, words: string, english: RegExp][] = [
  ['no match with nearest places', patch('const limt = 31;\nconst  other = 2;', 'x'), '最接近的位置：', /Nearest places:/],
  ['no match', patch('nothing of the kind stands in it', 'x'), '请重新读取文件', /Read the file again/],
  ['several matches', patch('const same = 1;', 'x'), '匹配 2 处', /matches 2 places/],
  [
    'a conflict',
    patch(BLOCK.replace('price', 'prices'), BLOCK.replace('price', 'cost')),
    '要改的行与文件不同。引用：',
    /changes a line that is different/,
  ],
  [
    'an unknown tool',
    { name: 'format_disk', arguments: {} },
    '没有名为“format_disk”的工具。可用的工具：',
    /There is no tool "format_disk"/,
  ],
  ['invalid JSON', { name: 'read_file', arguments: '{"path": a.txt' }, 'read_file 的参数不是有效的 JSON：', /not valid JSON/],
  ['truncated JSON', { name: 'read_file', arguments: '{"path":' }, '内容不完整', /end of JSON/],
  ['words in place of JSON', { name: 'read_file', arguments: 'x' }, '语法错误', /not valid JSON/],
  ['a list in place of an object', { name: 'read_file', arguments: '["a"]' }, '必须是 JSON 对象', /must be a JSON object/],
  ['repaired JSON of a writing call', { name: 'write_file', arguments: '{path: "a", content: "b",}' }, '没有运行：', /Not run/],
  ['a missing argument', { name: 'read_file', arguments: {} }, 'path：必需，但缺少', /path: is required/],
  [
    'an unknown argument',
    { name: 'read_file', arguments: { path: 'a', encoding: 'x' } },
    'encoding：不是这个工具的参数；它有 path',
    /is no parameter/,
  ],
  [
    'a number out of range',
    { name: 'read_file', arguments: { path: 'a', limit: -1 } },
    'limit：必须是不小于 1 的整数，收到 -1',
    /limit: must be integer/,
  ],
  ['a wrong type', { name: 'read_file', arguments: { path: ['a', 'b'] } }, 'path：必须是 string，收到', /path: must be string/],
  [
    'a wrong choice',
    { name: 'todo', arguments: { todos: [{ id: 'a', content: 'b', status: 'x' }] } },
    '必须是其中之一：',
    /must be one of/,
  ],
  [
    'too many items',
    { name: 'clarify', arguments: { question: 'q', choices: ['1', '2', '3', '4', '5'] } },
    '最多只能有 4 项',
    /at most 4 items/,
  ],
  [
    'a plan with two running items',
    { name: 'todo', arguments: { todos: ['a', 'b'].map(id => ({ id, content: id, status: 'in_progress' })) } },
    '计划未改动。只能有一项处于 in_progress，收到 2 项：a、b。',
    /Only one item may be in_progress/,
  ],
  [
    'an action without its field',
    { name: 'skill_manage', arguments: { action: 'create', name: 'brewing' } },
    '没有写入任何内容。/content：',
    /\/content: is required for the action create/,
  ],
];

it('a long line is noted in the language of the run', async () => {
  const read: ScriptedCall = { name: 'read_file', arguments: { path: 'long.txt' } };
  expect((await resultsOf('读长行', [read], 'zh-CN'))[0]).toContain('此行还有 500 个字符]');
  expect((await resultsOf('read the long line', [read], 'en'))[0]).toContain('500 more characters in this line]');
});

describe('a refused call', () => {
  let chinese: string[];
  let english: string[];

  beforeAll(async () => {
    const calls = REFUSED.map(([, call], index) => ({ ...call, id: `call_${index}` }));
    chinese = await resultsOf('全部拒绝', calls, 'zh-CN');
    english = await resultsOf('refuse them all', calls, 'en');
  });

  it.each(REFUSED.map(([what, , words, inEnglish], index) => ({ what, words, inEnglish, index })))(
    'is told in the language of its run, with one advice: $what',
    ({ words, inEnglish, index }) => {
      const [zh = '', en = ''] = [chinese[index], english[index]];
      expect(zh).toContain(words);
      expect(withoutQuotes(zh)).not.toMatch(ENGLISH);
      expect(zh.match(/请(?!勿)/g)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(en).toMatch(inEnglish);
      expect(en).not.toMatch(/\p{Script=Han}/u);
      expect(en.match(/\b(?:Read|Compare|Add lines|Quote|Send|Correct)\b/g)?.length ?? 0).toBeLessThanOrEqual(1);
    },
  );
});
