/** Everything the demo model says, in both languages. */

export interface DemoTexts {
  hello: string;
  help: string;
  thanks: string;
  notUnderstood: (text: string) => string;
  notOffered: (tool: string) => string;
  noMemory: string;
  outOfCalls: string;
  /** Said while calls go out. */
  planning: (steps: number) => string;
  reading: (path: string) => string;
  running: (command: string) => string;
  /** Items of the plan. */
  steps: {
    list: (path: string | undefined) => string;
    choose: (forWhat: 'change' | 'read') => string;
    read: (path: string | undefined) => string;
    run: (command: string) => string;
    change: (path: string | undefined) => string;
    write: (path: string) => string;
    ask: string;
    remember: string;
    recall: string;
    generic: (goal: string) => string[];
  };
  /** Questions, and how each of them begins (for histories that hold nothing but texts). */
  whichFile: (forWhat: 'change' | 'read', more: number) => string;
  whichWord: (path: string) => string;
  whichWordAgain: (path: string) => string;
  whatContent: (path: string) => string;
  ask: (about: string) => string;
  questionOpenings: readonly string[];
  /** Results and remarks. */
  listed: (path: string | undefined, count: number) => string;
  empty: (path: string | undefined) => string;
  failed: (what: string, reason: string) => string;
  noFiles: string;
  content: (path: string) => string;
  emptyFile: (path: string) => string;
  ran: (command: string) => string;
  noOutput: string;
  changed: (change: { from: string; to: string; path: string; count: number }) => string;
  wordMissing: (from: string, path: string) => string;
  sameWord: (word: string) => string;
  noPair: (path: string) => string;
  needsNames: string;
  noFileAnswer: (path: string) => string;
  wrote: (path: string) => string;
  noContent: (path: string) => string;
  answered: (answer: string) => string;
  unanswered: string;
  cannotAsk: (question: string) => string;
  remembered: (fact: string) => string;
  recalled: string;
  marked: (count: number) => string;
  planDone: (steps: number) => string;
}

const code = (text: string): string => (text.includes('`') || text.includes('\n') ? `"${text}"` : `\`${text}\``);

const EN: DemoTexts = {
  hello:
    'Hello! This is **demo mode**: simple rules, no AI. Set `OPENAI_API_KEY` for a real model.\n\nTry: `list the files, change a word in one, ask me which` – or say `help`.',
  help: `This is **demo mode**: simple rules, no AI; set \`OPENAI_API_KEY\` (and \`OPENAI_BASE_URL\` for another server) for a real model. The tools, though, are real. I understand plain requests like these, alone or joined by "and", "then" or commas:

- \`list the files\` · \`list the files in docs\`
- \`read notes.txt\`
- \`run ls -la\`
- \`change "hello" to "goodbye" in notes.txt\`
- \`create todo.txt with buy milk\`
- \`plan my day: get up; have breakfast; read notes.txt\`
- \`ask me: red, green or blue?\`
- \`remember that I like tea\` · \`what do you remember?\`
- \`list the files, change a word in one, ask me which\``,
  thanks: 'You are welcome.',
  notUnderstood: text => `I did not understand ${code(text)}. This is demo mode (rules, no AI); say \`help\` to see what I can do.`,
  notOffered: tool => `I cannot do that here: the tool \`${tool}\` is not available in this conversation.`,
  noMemory: 'Memory is not enabled here, so I cannot keep or look up anything beyond this conversation.',
  outOfCalls: 'I have to stop here: no more tool calls are allowed in this turn.',
  planning: steps => `That takes ${steps} steps; I am writing them down first.`,
  reading: path => `Reading ${code(path)}.`,
  running: command => `Running ${code(command)}.`,
  steps: {
    list: path => (path ? `List the files in ${path}` : 'List the files'),
    choose: forWhat => `Ask which file to ${forWhat}`,
    read: path => (path ? `Read ${path}` : 'Read the chosen file'),
    run: command => `Run ${command}`,
    change: path => (path ? `Change a word in ${path}` : 'Change a word in the chosen file'),
    write: path => `Write ${path}`,
    ask: 'Ask for an answer',
    remember: 'Remember it',
    recall: 'Look it up in memory',
    generic: goal => [`Collect what is needed: ${goal}`, 'Do it in small steps', 'Check the result'],
  },
  whichFile: (forWhat, more) => `Which file should I ${forWhat}?${more > 0 ? ` There are ${more} more; you can type a name, too.` : ''}`,
  whichWord: path => `Which word should be changed in ${code(path)}, and to what? (for example: hello to goodbye)`,
  whichWordAgain: path => `I need two words for ${code(path)}, the old one and the new one, like this: hello -> goodbye`,
  whatContent: path => `What text should go into ${code(path)}?`,
  ask: about => (about === '' ? 'Please answer: what would you like?' : `Please tell me: ${about}`),
  questionOpenings: [
    'Which file should I ',
    'Which word should be changed in ',
    'I need two words for ',
    'What text should go into ',
    'Please answer: ',
    'Please tell me: ',
  ],
  listed: (path, count) => `${path ? code(path) : 'The workspace'} has ${count === 1 ? 'one entry' : `${count} entries`}:`,
  empty: path => `${path ? code(path) : 'The workspace'} is empty.`,
  failed: (what, reason) => `${what} did not work: ${reason}`,
  noFiles: 'There is no file to choose from.',
  content: path => `${code(path)} says:`,
  emptyFile: path => `${code(path)} is empty.`,
  ran: command => `Output of ${code(command)}:`,
  noOutput: '(no output)',
  changed: ({ from, to, path, count }) =>
    `Changed ${code(from)} to ${code(to)} in ${code(path)}${count > 1 ? `, in all ${count} places` : ''}.`,
  wordMissing: (from, path) => `${code(from)} does not occur in ${code(path)}, so nothing was changed.`,
  sameWord: word => `The old and the new text are both ${code(word)}, so nothing was changed.`,
  noPair: path => `I was given no word to change, so ${code(path)} stays as it is.`,
  needsNames: 'Please name them in one message, for example: `change "hello" to "goodbye" in notes.txt`.',
  noFileAnswer: path => `I got no answer about the file, so I took the first one, ${code(path)}.`,
  wrote: path => `Wrote ${code(path)}.`,
  noContent: path => `I was given no text, so I did not write ${code(path)}.`,
  answered: answer => `Your answer: ${code(answer)}.`,
  unanswered: 'I got no answer in time.',
  cannotAsk: question => `I would have to ask something, but asking is not possible here: ${question}`,
  remembered: fact => `I will remember: ${fact}`,
  recalled: 'This is what I remember:',
  marked: count =>
    `${count === 1 ? 'One step is' : `${count} steps are`} only ticked off on the list: demo mode can keep a plan but not do such work.`,
  planDone: steps => `The plan is finished (${steps} steps).`,
};

const ZH_CN: DemoTexts = {
  hello:
    '你好！现在是**演示模式**：只有简单规则，没有 AI。设置 `OPENAI_API_KEY` 即可使用真正的模型。\n\n可以试试：`列出文件，改其中一个里的一个词，问我改哪个`；或者说 `帮助`。',
  help: `现在是**演示模式**：只有简单规则，没有 AI；设置 \`OPENAI_API_KEY\`（使用其他服务器时再设 \`OPENAI_BASE_URL\`）即可使用真正的模型。不过工具都是真的。我能听懂下面这样的话，可以单说，也可以用逗号、“然后”、“再”连起来：

- \`列出文件\` · \`列出 docs 目录下的文件\`
- \`读取 notes.txt\`
- \`运行 ls -la\`
- \`把 notes.txt 里的 hello 改成 goodbye\`
- \`新建 todo.txt，内容是 买牛奶\`
- \`计划今天：起床；吃早饭；读取 notes.txt\`
- \`问我：红、绿还是蓝\`
- \`记住我喜欢喝茶\` · \`你记得什么\`
- \`列出文件，改其中一个里的一个词，问我改哪个\``,
  thanks: '不客气。',
  notUnderstood: text => `我没听懂 ${code(text)}。现在是演示模式（规则，没有 AI），说 \`帮助\` 可以看到我会做什么。`,
  notOffered: tool => `这里做不了：本次对话没有提供工具 \`${tool}\`。`,
  noMemory: '这里没有启用记忆，所以我无法保存或查找本次对话之外的内容。',
  outOfCalls: '我只能停在这里：本轮不能再调用工具了。',
  planning: steps => `这件事分 ${steps} 步，我先把计划写下来。`,
  reading: path => `正在读取 ${code(path)}。`,
  running: command => `正在运行 ${code(command)}。`,
  steps: {
    list: path => (path ? `列出 ${path} 中的文件` : '列出文件'),
    choose: forWhat => (forWhat === 'change' ? '询问修改哪个文件' : '询问读取哪个文件'),
    read: path => (path ? `读取 ${path}` : '读取选定的文件'),
    run: command => `运行 ${command}`,
    change: path => (path ? `修改 ${path} 里的一个词` : '修改选定文件里的一个词'),
    write: path => `写入 ${path}`,
    ask: '等待回答',
    remember: '记下来',
    recall: '查找记忆',
    generic: goal => [`收集所需信息：${goal}`, '分小步完成', '检查结果'],
  },
  whichFile: (forWhat, more) =>
    `要${forWhat === 'change' ? '修改' : '读取'}哪个文件？${more > 0 ? `另外还有 ${more} 个，也可以直接输入文件名。` : ''}`,
  whichWord: path => `要把 ${code(path)} 里的哪个词改掉，改成什么？（例如：把 hello 改成 goodbye）`,
  whichWordAgain: path => `修改 ${code(path)} 需要两个词：原来的和新的，例如：hello -> goodbye`,
  whatContent: path => `要往 ${code(path)} 里写什么内容？`,
  ask: about => (about === '' ? '请回答：你想要什么？' : `请告诉我：${about}`),
  questionOpenings: ['要修改哪个文件', '要读取哪个文件', '要把 ', '修改 ', '要往 ', '请回答：', '请告诉我：'],
  listed: (path, count) => `${path ? code(path) : '工作区'}里有 ${count} 个条目：`,
  empty: path => `${path ? code(path) : '工作区'}是空的。`,
  failed: (what, reason) => `${what}没有成功：${reason}`,
  noFiles: '没有可以选择的文件。',
  content: path => `${code(path)} 的内容：`,
  emptyFile: path => `${code(path)} 是空文件。`,
  ran: command => `${code(command)} 的输出：`,
  noOutput: '（无输出）',
  changed: ({ from, to, path, count }) => `已把 ${code(path)} 里的 ${code(from)} 改成 ${code(to)}${count > 1 ? `，共 ${count} 处` : ''}。`,
  wordMissing: (from, path) => `${code(path)} 里没有 ${code(from)}，所以什么也没改。`,
  sameWord: word => `新旧文字都是 ${code(word)}，所以什么也没改。`,
  noPair: path => `没有得到要改的词，所以 ${code(path)} 保持原样。`,
  needsNames: '请在一条消息里说清楚，例如：`把 notes.txt 里的 hello 改成 goodbye`。',
  noFileAnswer: path => `没有得到关于文件的回答，所以我选了第一个：${code(path)}。`,
  wrote: path => `已写入 ${code(path)}。`,
  noContent: path => `没有得到内容，所以没有写 ${code(path)}。`,
  answered: answer => `你的回答：${code(answer)}。`,
  unanswered: '没有在规定时间内得到回答。',
  cannotAsk: question => `我本来要问一个问题，但这里不能提问：${question}`,
  remembered: fact => `我记住了：${fact}`,
  recalled: '我记得这些：',
  marked: count => `有 ${count} 步只是在清单上打了勾：演示模式能维护计划，但做不了这样的事。`,
  planDone: steps => `计划已走完（共 ${steps} 步）。`,
};

export const DEMO_TEXTS: Readonly<Record<'en' | 'zh-CN', DemoTexts>> = { en: EN, 'zh-CN': ZH_CN };
