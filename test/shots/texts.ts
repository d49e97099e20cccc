/** Texts of the photographed chats, in both languages. The model finds its answer by the message, so each message is in one place alone. */
export const MESSAGES = {
  en: {
    stream: 'Tell me at length how beans grow.',
    markdown: 'Compare three vegetables for my garden.',
    tools: 'Look at the files of my garden.',
    plan: 'Make a plan for the beds.',
    question: 'Ask me what to sow first.',
    questions: 'Ask me about the whole garden.',
    approval: 'Remove the old beds.',
    outside: 'Read the seed catalog.',
    diff: 'Change the first crop in the plan.',
    writing: 'Write the third bed into the list.',
    error: 'Use the model with the wrong key.',
  },
  'zh-CN': {
    stream: '详细说说豆子怎么生长。',
    markdown: '为我的菜园比较三种蔬菜。',
    tools: '看看菜园里的文件。',
    plan: '为菜畦做一个计划。',
    question: '问我先种什么。',
    questions: '问我整个花园的安排。',
    approval: '删除旧的菜畦。',
    outside: '看看种子目录。',
    diff: '修改计划里的第一种作物。',
    writing: '把第三块菜畦写进清单。',
    error: '使用密钥错误的模型。',
  },
} as const;

export type MessageName = keyof (typeof MESSAGES)['en'];

export const ANSWERS = {
  en: {
    reasoning: 'The person asks about beans. I describe germination first, then the vine.',
    long: 'A bean begins with water. The seed swells, its coat splits, and a root grows down before a shoot grows up. '.repeat(12),
    before: 'I look at the folder first.',
    short: 'Done: the garden has two beds, and the plan names what grows in each of them.',
    markdown: `Beans are the best start: they need **no feeding** and grow quickly.

| vegetable | days to harvest | needs |
|---|---:|---|
| Beans | 60 | sun, a pole |
| Peas | 70 | cool spring |
| Radishes | 28 | loose soil |

1. Sow after the last frost.
2. Water in the morning.
   - [x] Buy seeds
   - [ ] Dig the bed

> A bed that rests for a year gives more in the next.

\`\`\`js
export const harvest = (sown, days) => new Date(sown.getTime() + days * 86_400_000); // milliseconds
\`\`\`

The yield follows $y = a \\cdot x^2$, see [the guide](https://example.com).`,
  },
  'zh-CN': {
    reasoning: '对方想了解豆子。先说发芽，再说藤蔓。',
    long: '豆子的生长从水开始。种子吸水膨胀，种皮裂开，先向下长根，再向上长芽。'.repeat(20),
    before: '先看看目录。',
    short: '完成：菜园有两块菜畦，计划写明了各自种什么。',
    markdown: `豆子最适合入门：**不用施肥**，长得也快。

| 蔬菜 | 收获天数 | 需要 |
|---|---:|---|
| 豆子 | 60 | 阳光和支架 |
| 豌豆 | 70 | 凉爽的春天 |
| 萝卜 | 28 | 疏松的土 |

1. 霜期过后播种。
2. 早上浇水。
   - [x] 买种子
   - [ ] 翻土

> 休耕一年的菜畦，来年收成更好。

\`\`\`js
export const harvest = (sown, days) => new Date(sown.getTime() + days * 86_400_000); // 毫秒
\`\`\`

产量符合 $y = a \\cdot x^2$，见[指南](https://example.com)。`,
  },
} as const;

export const PLAN = {
  en: [
    { id: '1', content: 'Measure both beds', status: 'completed' },
    { id: '2', content: 'Choose a crop for each bed', status: 'in_progress' },
    { id: '3', content: 'Write the dates into the calendar', status: 'pending' },
  ],
  'zh-CN': [
    { id: '1', content: '测量两块菜畦', status: 'completed' },
    { id: '2', content: '为每块菜畦选择作物', status: 'in_progress' },
    { id: '3', content: '把日期写进日历', status: 'pending' },
  ],
} as const;

export const QUESTION = {
  en: { question: 'What do you want to sow first?', choices: ['Beans', 'Peas', 'Radishes'] },
  'zh-CN': { question: '你想先种什么？', choices: ['豆子', '豌豆', '萝卜'] },
} as const;

export const QUESTIONS = {
  en: [
    QUESTION.en,
    { question: 'How much sun does the **south bed** get?', choices: ['Half a day', 'All day'] },
    { question: 'Is there anything that nobody at your table eats?' },
  ],
  'zh-CN': [
    QUESTION['zh-CN'],
    { question: '**南边的菜畦**每天有多少阳光？', choices: ['半天', '整天'] },
    { question: '家里有人不吃的蔬菜吗？' },
  ],
} as const;

export const FILES = {
  'garden/beds.md': '# Beds\n\n- Bed 1: beans\n- Bed 2: peas\n',
  'garden/plan.js': "const first = 'beans';\nexport const plan = [first];\n",
  'garden/harvest.csv': 'crop,days\nbeans,60\npeas,70\n',
  'notes.txt': 'Buy seeds on Monday.\n',
};

export const PROMPTS = {
  en: [
    {
      name: 'weekly-plan',
      text: 'Plan the work in the garden for {{week}}.\nBegin with what cannot wait.',
      variables: [{ name: 'week', default: 'this week' }],
    },
    { name: 'seed-list', text: 'List the seeds that I need for {{beds}} beds, with the month to sow.', variables: [{ name: 'beds' }] },
  ],
  'zh-CN': [
    {
      name: 'zhou-jihua',
      text: '为{{week}}的菜园安排工作。\n先做不能等的事。',
      variables: [{ name: 'week', label: '哪一周', default: '本周' }],
    },
    { name: 'zhongzi', text: '列出{{beds}}块菜畦需要的种子，并注明播种月份。', variables: [{ name: 'beds', label: '菜畦数' }] },
  ],
} as const;
