/** Rows for the tools that calculate and count: inputs that expand, and the largest allowed inputs. */
import type { Row } from './hostile_bench';

const EXPRESSIONS = [
  '9**9**9**9',
  '1e999999',
  '9**(9**9)',
  '(-1)**0.5',
  '1/0',
  `${'('.repeat(400)}1${')'.repeat(400)}`,
  '('.repeat(400),
  '1+'.repeat(499),
  '1'.repeat(1_001),
  'sin('.repeat(60) + '1'.repeat(60) + ')'.repeat(61),
  'constructor("return process")()',
  '__proto__',
  'process.exit(1)',
  'e()',
  'factorial(99999)',
  '99999!',
  '0x1F + 1',
  '1;2',
  '\0',
  '٣+٣',
];
const COSTLY = [Array(90).fill('tan(1e29)').join('*'), Array(60).fill('1.01**230000').join('+'), Array(60).fill('(1/3)**2000').join('+')];

const TEXTS: Record<string, string> = {
  Chinese: '灯塔日志今天的风很大'.repeat(10_000),
  Thai: 'ภาษาไทยเป็นภาษา'.repeat(6_600),
  marks: `e${'\u0301'.repeat(99_000)}`,
  flags: '\u{1f1e8}\u{1f1f3}'.repeat(25_000),
  families: '\u{1f468}\u200d'.repeat(33_000),
  lines: '\r'.repeat(100_000),
  surrogates: '\ud800'.repeat(100_000),
};

const JSON_TEXTS: Record<string, string> = {
  list: `[${'1,'.repeat(480_000)}1]`,
  'small lists': `[${`${'['.repeat(60)}${']'.repeat(60)},`.repeat(7_500)}1]`,
  keys: `{${Array.from({ length: 70_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'repeated keys': `{${'"a":1,'.repeat(150_000)}"a":1}`,
  string: `"${'a'.repeat(950_000)}"`,
  escapes: `"${'\\\\'.repeat(470_000)}"`,
  deep: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  prototype: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  quotes: '"'.repeat(900_000),
};
const OPERATIONS = ['format', 'keys'];

function named(count: number, first: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${first + i}`, 1]));
}

export const DATA_ROWS: Row[] = [
  ...EXPRESSIONS.map(expression => ({
    what: `calculator ${expression.slice(0, 30)}`,
    tool: 'calculator',
    args: { expression },
    expect: expression === '٣+٣' ? ('any' as const) : ('error' as const),
  })),
  ...COSTLY.map(expression => ({
    what: `calculator ${expression.slice(0, 30)}`,
    tool: 'calculator',
    args: { expression },
    expect: 'any' as const,
  })),
  ...Object.entries(TEXTS).flatMap(([name, text]) =>
    ['count', 'reverse'].map(operation => ({
      what: `text_process ${operation} ${name}`,
      tool: 'text_process',
      args: { text, operation },
      expect: 'ok' as const,
    })),
  ),
  { what: 'text_process 1 MB', tool: 'text_process', args: { text: 'x'.repeat(1_000_000), operation: 'count' }, expect: /text: .*100000/ },
  ...Object.entries(JSON_TEXTS).flatMap(([name, json_string]) =>
    OPERATIONS.map(operation => ({
      what: `json_process ${operation} ${name}`,
      tool: 'json_process',
      args: { json_string, operation },
      expect: name === 'deep' || name === 'quotes' ? /Not valid JSON/ : ('any' as const),
    })),
  ),
  {
    what: 'todo with thousands of items',
    tool: 'todo',
    args: { todos: Array.from({ length: 15_000 }, (_, i) => ({ id: `${i}`, content: 'x', status: 'pending' })) },
    expect: /todos: .*50/,
  },
  { what: 'todo with junk', tool: 'todo', args: { todos: Array(300_000).fill(1) }, expect: /todos: .*50/ },
  {
    what: 'clarify with many choices',
    tool: 'clarify',
    args: { question: 'x', choices: Array.from({ length: 90_000 }, (_, i) => `c${i}`) },
    expect: /choices: .*4/,
  },
  { what: 'crawl_batch with many addresses', tool: 'crawl_batch', args: { urls: Array(200_000).fill('u') }, expect: /urls: .*10/ },
  {
    what: 'parameters without end',
    tool: 'echo',
    args: named(70_000, 0),
    expect: 'error',
  },
  { what: 'names without end below a parameter', tool: 'echo', args: { text: named(70_000, 0) }, expect: 'error' },
  {
    what: 'many objects of many names',
    tool: 'echo',
    args: { text: Array.from({ length: 10 }, (_, i) => named(9_000, i * 9_000)) },
    expect: 'error',
  },
  { what: 'empty objects', tool: 'echo', args: { text: Array(300_000).fill({}) }, expect: 'error' },
  { what: 'a time zone that is none', tool: 'current_time', args: { time_zone: '../../etc/localtime' }, expect: 'error' },
];

const broken = (piece: string) => `{"path": ${piece.repeat(Math.floor(190_000 / piece.length))}}`;

/** Arguments as raw text, which only a model can send. */
export const RAW_ROWS: Row[] = [
  { what: 'arguments 100,000 deep', tool: 'read_file', args: `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, expect: /deep/ },
  { what: 'objects 100,000 deep', tool: 'read_file', args: `${'{"path":'.repeat(100_000)}1${'}'.repeat(100_000)}`, expect: /deep/ },
  { what: 'an own __proto__', tool: 'read_file', args: '{"path":"plain.txt","__proto__":{"path":"/etc/passwd"}}', expect: /__proto__/ },
  { what: 'a __proto__ in escapes', tool: 'read_file', args: '{"path":"plain.txt","\\u005f_proto__":{}}', expect: /__proto__/ },
  { what: 'a parameter twice', tool: 'read_file', args: '{"path":"/etc/passwd","path":"plain.txt"}', expect: /plain/ },
  { what: 'lone surrogates', tool: 'echo', args: '{"text":"a\\ud800b"}', expect: 'any' },
  { what: 'no object', tool: 'read_file', args: '[1]', expect: /must be a JSON object/ },
  { what: 'a million characters', tool: 'read_file', args: `{"path":"${'x'.repeat(1_000_000)}"}`, expect: /path: .*4096/ },
  ...['"a" ', "'", '"', '"b\n', '{', '[', '/*', '"a":', '\\'].map(piece => ({
    what: `broken arguments of ${JSON.stringify(piece)}`,
    tool: 'read_file',
    args: broken(piece),
    expect: 'error' as const,
  })),
  { what: 'short arguments that are slow to repair', tool: 'read_file', args: `{${'"b\n'.repeat(2_600)}}`, expect: 'error' },
  ...['__proto__', 'constructor', 'bash\0', 'rm -rf /', '\u202eesab', '工具', 'x'.repeat(100_000), 'functions.bash'].map(tool => ({
    what: `a tool called ${JSON.stringify(tool).slice(0, 40)}`,
    tool,
    args: {},
    expect: 'error' as const,
  })),
];
