import { asksForCallForm, isIntroducedAsExample, readCodeWish } from '../../../src/runtime/raw_calls/asked_for_code';

describe('readCodeWish', () => {
  it.each([
    ['Answer in JSON', 'show'],
    ['show me an example', 'show'],
    ['Write a script for the backup', 'show'],
    ['给我一个示例', 'show'],
    ['写一段代码', 'show'],
    ['fix the code in a.ts', 'mention'],
    ['这段代码为什么报错', 'mention'],
    ['read package.json and config/sample.csv', 'none'],
    ['open example.com', 'none'],
    ['look for a file, for example notes.txt', 'none'],
    ['decode the message', 'none'],
    ['看看目录里有什么', 'none'],
  ] as const)('%s: %s', (message, wish) => expect(readCodeWish(message)).toBe(wish));
});

describe('asksForCallForm', () => {
  it.each([
    'What does a tool call look like?',
    'Give me an example of a function call',
    'tool_call syntax, please',
    '工具调用的格式是什么样的？',
    '给我一个调用 bash 的例子',
  ])('holds for: %s', message => expect(asksForCallForm(message)).toBe(true));

  it.each([
    'Make a function call to format the file',
    'Use a tool call to read sample.csv',
    'Call the tool',
    '调用工具读取示例文件',
    '用函数调用读取 a.txt',
  ])('does not hold for: %s', message => expect(asksForCallForm(message)).toBe(false));
});

describe('isIntroducedAsExample', () => {
  it.each(['Models write, for example:\n', '### Example\n', 'such as ', '格式如下：\n', 'It looks like this:\n\n', '**Example:**\n'])(
    'holds behind %j',
    text => expect(isIntroducedAsExample(text)).toBe(true),
  );

  it.each(['I open the example:\n', 'I will look.\n', 'Let me check the sample file:\n', '我先看看：\n', ''])(
    'does not hold behind %j',
    text => expect(isIntroducedAsExample(text)).toBe(false),
  );
});
