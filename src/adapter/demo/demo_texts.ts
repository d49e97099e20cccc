/** Everything the demo says, in both languages. The page offers `requests` as first messages (web/src/i18n). */

const COMMAND = 'date && uname -sr';
const CONNECT = `\`\`\`sh
OPENAI_API_KEY=your-key OPENAI_BASE_URL=https://api.openai.com/v1 \\
  NETA_MODEL=gpt-5-mini neta-gateway # or: npm start
\`\`\``;

const en = {
  requests: {
    project: 'Make a small project, ask me for a greeting and put it into the code',
    list: 'List the files',
    run: `Run the command: ${COMMAND}`,
    help: 'What can you do?',
    memory: 'Remember that I like short answers',
    job: 'Every morning at 8, list the files',
    crew: 'Let the researcher look at the files',
  },
  /** Matches requests to list the files in other words than `requests` has. */
  listPattern:
    /^(?:please )?(?:list|show)(?: me)?(?: all| every)?(?: the| my| your)? files?(?: here| there| please|(?: in|of) (?:the|this|my|your) \w+)?[?.!]*$/i,
  helpPattern: /^(?:help|what (?:can|do) you do|what are you able to do|how can you help(?: me)?)[?.!]*$/i,
  /** A request to run a command; the group is the command. */
  runPattern: /^run the command\s*[:：]\s*(.+)$/is,
  /** A request for a job; the groups are the hour and what to do. */
  jobPattern: /^every morning(?: at (\d{1,2}))?\s*[,:]?\s*(.+)$/is,
  /** A request to remember something; the group is the fact. */
  rememberPattern: /^(?:please )?remember(?: that)?\s*[:,]?\s*(.+)$/is,
  remembered: (fact: string) =>
    `I will remember: ${fact}\n\nEach new chat knows it. You find it under **Memory**, where you can change or delete it.`,
  knownPattern: /^what do you (?:know about|remember of) me[?.!]*$/i,
  known: (facts: readonly string[]) =>
    facts.length === 0
      ? 'I know nothing about you yet. Tell me something: “Remember that ...”.'
      : `This is what I remember:\n\n${facts.map(fact => `- ${fact}`).join('\n')}`,
  /** A request to forget something; the group is a part of the fact. */
  forgetPattern: /^forget(?: that)?\s*[:,]?\s*(.+?)[.!]*$/is,
  forgotten: (fact: string) => `Forgotten: ${fact}`,
  notKnown: (fact: string) => `I remember nothing with “${fact}”.`,
  jobMade: (hour: number, task: string) =>
    `Done: every day at ${hour}:00 a new chat gets the message “${task}”. Under **Jobs** you can run it now, pause it and delete it.`,
  /** Matches a request to delegate a look; the group is the thing to look at. */
  delegatePattern: /^let the researcher look at\s+(.+?)[.!]*$/i,
  /** The task of the member; `lookPattern` finds it at the start of a message. */
  lookTask: (what: string) => `Look at ${what}`,
  lookPattern: /^look at ([^\n]+)/i,
  lookReport: 'What is there.',
  delegate: 'I hand this to the researcher and wait for the report.',
  reported: (report: string) => `The researcher has reported:\n\n${report}`,
  look: 'First I look at what is in the workspace.',
  begin: 'Here is the plan. I begin with two files.',
  change: (greeting: string) => `I put “${greeting}” into the code.`,
  noAnswer: (greeting: string) => `I have no answer, so I take “${greeting}”.`,
  plan: ['Write two files', 'Ask which greeting to use', 'Put the greeting into the code'],
  readme: '# First steps\n\nA small project that the demo wrote. `greet.js` makes a greeting.\n',
  question: 'Which greeting should the code use?',
  choices: ['Good morning', 'Hello', 'Welcome back'],
  done: (file: string, diff: string) =>
    `Done: \`${file}\` has your greeting.\n\n~~~diff\n${diff}\n~~~

- The card of the last change shows this **diff** too, and its **Undo** takes the change back.
- The **plan** shows the steps that were ticked while I worked.
- Files, plan, question and log are real. Only I follow a script.`,
  failed: (result: string) => `A step did not work, so I stop here:\n\n> ${result.replaceAll('\n', '\n> ')}`,
  noTool: (name: string) =>
    `This agent does not have the tool \`${name}\`, which I need for that. Its profile in \`config/agents\` says which tools it has.`,
  result: (text: string) => `This is the result:\n\n~~~text\n${text}\n~~~`,
  outOfSteps: 'The limit of tool calls for one message is reached, so I stop here.',
  connect: `To work on tasks of your own, **connect a model**: open a new chat and click *Connect a model*. Or stop the gateway (Ctrl+C) and start it with your key; any OpenAI-compatible server will do:\n\n${CONNECT}`,
};

export type DemoTexts = typeof en;

const zhCN: DemoTexts = {
  requests: {
    project: '做一个小项目，问我用哪句问候语，再写进代码',
    list: '列出文件',
    run: `运行命令：${COMMAND}`,
    help: '你能做什么？',
    memory: '记住我喜欢简短的回答',
    job: '每天早上8点列出文件',
    crew: '让研究员看看文件',
  },
  runPattern: /^运行命令\s*[:：]\s*(.+)$/s,
  rememberPattern: /^(?:请你?)?记住\s*[，,：:]?\s*(.+)$/s,
  remembered: fact => `我会记住：${fact}\n\n每个新对话都知道这件事。在**记忆**里可以查看、修改和删除它。`,
  knownPattern: /^你(?:知道|记得|了解)我(?:的)?(?:些什么|什么|哪些事)[？?。！!]*$/,
  known: facts =>
    facts.length === 0 ? '我还不了解你。可以告诉我：“记住……”。' : `我记得这些：\n\n${facts.map(fact => `- ${fact}`).join('\n')}`,
  forgetPattern: /^忘[掉记]\s*[，,：:]?\s*(.+?)[。！]*$/s,
  forgotten: fact => `已忘记：${fact}`,
  notKnown: fact => `我的记忆里没有“${fact}”。`,
  jobMade: (hour, task) => `好了：每天 ${hour}:00，一个新对话会收到消息“${task}”。在**定时任务**里可以立即运行、暂停和删除它。`,
  listPattern:
    /^请?(?:帮我)?(?:列出|列一下|列举|显示|查看)(?:一下)?(?:所有|全部|当前|工作区|目录)*(?:里|中|下)?的?(?:所有)?文件(?:列表)?[。！？?!]*$/,
  helpPattern: /^(?:帮助|你(?:都)?(?:能|会|可以)(?:做|干|帮我做)(?:些|点)?什么)[。！？?!]*$/,
  jobPattern: /^每天早上(?:\s*(\d{1,2})\s*点)?\s*[，,：:]?\s*(.+)$/s,
  delegatePattern: /^请?让研究员看看\s*(.+?)[。！]*$/,
  lookTask: what => `看看 ${what}`,
  lookPattern: /^看看 ([^\n]+)/,
  lookReport: '那里有什么。',
  delegate: '我把这件事交给研究员，等待报告。',
  reported: report => `研究员的报告：\n\n${report}`,
  look: '先看看工作区里有什么。',
  begin: '这是计划。先写两个文件。',
  change: greeting => `把“${greeting}”写进代码。`,
  noAnswer: greeting => `没有收到回答，就用“${greeting}”。`,
  plan: ['写两个文件', '询问用哪句问候语', '把问候语写进代码'],
  readme: '# 第一步\n\n演示写的小项目。`greet.js` 生成一句问候。\n',
  question: '代码里用哪句问候语？',
  choices: ['早上好', '你好', '欢迎回来'],
  done: (file, diff) =>
    `完成：\`${file}\` 里已经是你选的问候语。\n\n~~~diff\n${diff}\n~~~

- 点开最后一次修改的卡片也能看到这份 **diff**，点**撤销**可以还原。
- **计划**里的步骤随着进展逐项打勾。
- 文件、计划、提问和日志都是真实的，只有我在照脚本执行。`,
  failed: result => `有一步没有成功，就此停下：\n\n> ${result.replaceAll('\n', '\n> ')}`,
  noTool: name => `这需要工具 \`${name}\`，而这个智能体没有它。智能体有哪些工具，由 \`config/agents\` 中的配置决定。`,
  result: text => `结果如下：\n\n~~~text\n${text}\n~~~`,
  outOfSteps: '一条消息的工具调用次数已到上限，就此停下。',
  connect: `要处理你自己的任务，请**接入模型**：打开新对话，点击“连接模型”。也可以停止网关（Ctrl+C），带上密钥重新启动；任何兼容 OpenAI 的服务都可以：\n\n${CONNECT}`,
};

export const DEMO_TEXTS = { en, 'zh-CN': zhCN };
export type DemoLocale = keyof typeof DEMO_TEXTS;

/** The answer to every message that is no request of the demo: what it is, what it can do, how to connect a model. */
export function introduce(locale: DemoLocale): string {
  const { requests, connect } = DEMO_TEXTS[locale];
  const list = [requests.project, requests.list, requests.run, requests.memory, requests.job, requests.crew]
    .map(request => `- ${request}`)
    .join('\n');
  return locale === 'zh-CN'
    ? `我是演示：照固定脚本执行，不是 AI。我只能处理下面这些消息，用到的工具都是真实的：\n\n${list}\n\n${connect}`
    : `I am the demo: I follow a fixed script and am no AI. I can only work on these messages; the tools I use are real:\n\n${list}\n\n${connect}`;
}
