import { parseRequest } from '../../../src/adapter/demo/demo_parse';
import { matchChoice, parseReplacement } from '../../../src/adapter/demo/demo_words';

const pair = { from: 'hello', to: 'goodbye' };

const REQUESTS: [text: string, intents: unknown[]][] = [
  ['list the files', [{ kind: 'list' }]],
  ['List the files, please.', [{ kind: 'list' }]],
  ['Could you list files in src?', [{ kind: 'list', path: 'src' }]],
  ['list the files in the docs folder', [{ kind: 'list', path: 'docs' }]],
  ['ls -la', [{ kind: 'list' }]],
  ['show me all files', [{ kind: 'list' }]],
  ['what files are there?', [{ kind: 'list' }]],
  ['list the files and folders', [{ kind: 'list' }]],
  ['read notes.txt', [{ kind: 'read', path: 'notes.txt' }]],
  ['Show me the contents of "my notes.txt"', [{ kind: 'read', path: 'my notes.txt' }]],
  ["what's in notes.txt?", [{ kind: 'read', path: 'notes.txt' }]],
  ['open README', [{ kind: 'read', path: 'README' }]],
  ['read one of them', [{ kind: 'read' }]],
  ['run ls -la', [{ kind: 'run', command: 'ls -la' }]],
  ['run `ls -la, then`', [{ kind: 'run', command: 'ls -la, then' }]],
  ['please execute the command "wc -l notes.txt"', [{ kind: 'run', command: 'wc -l notes.txt' }]],
  ['run echo "a b" c', [{ kind: 'run', command: 'echo "a b" c' }]],
  ['change "hello" to "goodbye" in notes.txt', [{ kind: 'change', path: 'notes.txt', pair }]],
  ['change the word hello to goodbye in the file notes.txt', [{ kind: 'change', path: 'notes.txt', pair }]],
  ['replace hello with goodbye in notes.txt', [{ kind: 'change', path: 'notes.txt', pair }]],
  ["In notes.txt, change 'hello' to 'goodbye'.", [{ kind: 'change', path: 'notes.txt', pair }]],
  ['change “hello” to “good bye” in notes.txt', [{ kind: 'change', path: 'notes.txt', pair: { from: 'hello', to: 'good bye' } }]],
  ['replace go to with stop at in a.txt', [{ kind: 'change', path: 'a.txt', pair: { from: 'go to', to: 'stop at' } }]],
  ['change hello to goodbye', [{ kind: 'change', pair }]],
  ['change a word in notes.txt', [{ kind: 'change', path: 'notes.txt' }]],
  ['list the files, change a word in one, ask me which', [{ kind: 'list' }, { kind: 'change' }]],
  ['List the files. Then ask me which one and change a word in it', [{ kind: 'list' }, { kind: 'change' }]],
  ['create todo.txt with buy milk', [{ kind: 'write', path: 'todo.txt', content: 'buy milk' }]],
  ['write a file called a.md with "one, two"', [{ kind: 'write', path: 'a.md', content: 'one, two' }]],
  [
    'write hello world to a.txt and read it',
    [
      { kind: 'write', path: 'a.txt', content: 'hello world' },
      { kind: 'read', same: true },
    ],
  ],
  ['create notes.txt', [{ kind: 'write', path: 'notes.txt' }]],
  ['ask me: red, green or blue?', [{ kind: 'ask', about: 'red, green or blue', choices: ['red', 'green', 'blue'] }]],
  ['ask me what I like', [{ kind: 'ask', about: 'what I like', choices: [] }]],
  ['remember that I like tea, not coffee', [{ kind: 'remember', fact: 'I like tea, not coffee' }]],
  ['what do you remember?', [{ kind: 'recall', query: '' }]],
  ['what do you remember about tea', [{ kind: 'recall', query: 'tea' }]],
  ['hello', [{ kind: 'hello' }]],
  ['Help!', [{ kind: 'help' }]],
  ['write me a poem', [{ kind: 'unknown', text: 'write me a poem' }]],
  ['列出文件', [{ kind: 'list' }]],
  ['请帮我列出 src 目录下的文件', [{ kind: 'list', path: 'src' }]],
  ['有哪些文件？', [{ kind: 'list' }]],
  ['当前目录里有什么文件', [{ kind: 'list' }]],
  ['读取 notes.txt', [{ kind: 'read', path: 'notes.txt' }]],
  ['看看笔记.txt的内容', [{ kind: 'read', path: '笔记.txt' }]],
  ['运行 `ls -la`', [{ kind: 'run', command: 'ls -la' }]],
  [
    '执行命令 ls -la，然后读取 notes.txt',
    [
      { kind: 'run', command: 'ls -la' },
      { kind: 'read', path: 'notes.txt' },
    ],
  ],
  ['把 notes.txt 里的 hello 改成 goodbye', [{ kind: 'change', path: 'notes.txt', pair }]],
  ['请将 notes.txt 中的“hello”替换为“goodbye”', [{ kind: 'change', path: 'notes.txt', pair }]],
  ['在 notes.txt 里，把 hello 改成 goodbye', [{ kind: 'change', path: 'notes.txt', pair }]],
  ['把「你好」改成「再见」', [{ kind: 'change', pair: { from: '你好', to: '再见' } }]],
  ['修改 notes.txt 里的一个词', [{ kind: 'change', path: 'notes.txt' }]],
  ['列出文件，改其中一个里的一个词，问我改哪个', [{ kind: 'list' }, { kind: 'change' }]],
  ['先列出文件，再在其中一个里改一个词，问我是哪个', [{ kind: 'list' }, { kind: 'change' }]],
  ['列出文件然后修改一个文件里的一个词并问我哪一个', [{ kind: 'list' }, { kind: 'change' }]],
  ['新建 todo.txt，内容是 买牛奶', [{ kind: 'write', path: 'todo.txt', content: '买牛奶' }]],
  ['把“买牛奶”写入 todo.txt', [{ kind: 'write', path: 'todo.txt', content: '买牛奶' }]],
  ['问我：红、绿还是蓝', [{ kind: 'ask', about: '红、绿还是蓝', choices: ['红', '绿', '蓝'] }]],
  ['记住我喜欢喝茶', [{ kind: 'remember', fact: '我喜欢喝茶' }]],
  ['你记得什么？', [{ kind: 'recall', query: '什么' }]],
  ['你好', [{ kind: 'hello' }]],
  ['你能做什么？', [{ kind: 'help' }]],
];

describe('what the demo understands', () => {
  it.each(REQUESTS)('reads %j', (text, intents) => {
    expect(parseRequest(text)).toEqual(intents);
  });

  it.each([
    ['plan my day: get up; read notes.txt; have lunch', ['get up', 'read notes.txt', 'have lunch'], [0, 1, 0]],
    ['make a plan: 1. list the files\n2. run "ls, then"', ['list the files', 'run "ls, then"'], [1, 1]],
    ['make a plan to list the files and read notes.txt', ['list the files', 'read notes.txt'], [1, 1]],
    ['计划今天：起床；吃早饭；读取 notes.txt', ['起床', '吃早饭', '读取 notes.txt'], [0, 0, 1]],
    ['make a plan to learn Finnish', [], []],
  ])('reads the steps of %j', (text, contents, understood) => {
    const [plan] = parseRequest(text);
    if (plan?.kind !== 'plan') throw new Error(`not a plan: ${JSON.stringify(plan)}`);
    expect(plan.items.map(item => item.content)).toEqual(contents);
    expect(plan.items.map(item => item.intents.length)).toEqual(understood);
  });

  it('stays quick on long and hostile text', () => {
    const startedAt = performance.now();
    for (const piece of ['change a in ', 'list files, ', '把改成', 'write ', "'", '“', '`a', ' to ', '再', ' ', '.a ', 'plan: a; ']) {
      parseRequest(piece.repeat(20_000));
      parseReplacement(piece.repeat(20_000));
      matchChoice(piece.repeat(20_000), ['a.txt']);
    }
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('answers', () => {
  it.each([
    ['hello to goodbye'],
    ['hello -> goodbye'],
    ['hello → goodbye'],
    ['"hello" with "goodbye"'],
    ['change the word hello into goodbye, please'],
    ['replace hello with goodbye.'],
    ['把 hello 改成 goodbye'],
    ['hello 换成 goodbye。'],
    ['将“hello”替换为“goodbye”'],
  ])('understands %j as a replacement', text => {
    expect(parseReplacement(text)).toEqual(pair);
  });

  it.each(['hello', 'a word', 'no idea', '随便'])('does not take %j for a replacement', text => {
    expect(parseReplacement(text)).toBeUndefined();
  });

  it.each([
    ['b.md', 'b.md'],
    ['B.MD', 'b.md'],
    ['`b.md`', 'b.md'],
    ['2', 'b.md'],
    ['2.', 'b.md'],
    ['number 2', 'b.md'],
    ['the second one', 'b.md'],
    ['第二个', 'b.md'],
    ['第2个文件', 'b.md'],
    ['last', 'docs/c.txt'],
    ['最后一个', 'docs/c.txt'],
    ['c.txt please', 'docs/c.txt'],
    ['take a', 'a.txt'],
    ['改 a.txt 吧', 'a.txt'],
    ['7', undefined],
    ['something else', undefined],
  ])('finds the choice that %j means', (answer, choice) => {
    expect(matchChoice(answer, ['a.txt', 'b.md', 'docs/c.txt'])).toBe(choice);
  });
});
