/** What the demo understands, as data: one table of patterns per language. Quotes are hidden (see demo_words.ts) when they are applied. */
import { MARK } from './demo_words';

export type IntentKind =
  | 'hello'
  | 'help'
  | 'thanks'
  | 'list'
  | 'read'
  | 'run'
  | 'change'
  | 'write'
  | 'plan'
  | 'ask'
  | 'remember'
  | 'recall';

/** Named groups: path, command, from, to, content, rest, about, fact, query. */
interface IntentRule {
  kind: IntentKind;
  pattern: RegExp;
}

const PATH = `(?:${MARK}|[^\\s,;，；。、：:"'()（）]+)`;
/** A name with an extension, or a quoted one. */
const FILE = `(?:${MARK}|[^\\s,;，；。、：:"'()（）]*[\\p{L}\\p{N}_-]\\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9]))`;
const VAGUE_FILE =
  '(?:it|them|one(?: of (?:them|these|those|the files))?|(?:a|an|one|the|some|any|this|that|which) (?:text )?(?:file|one))';
const THE = '(?:the\\s+)?';
const IN = '\\s+(?:in|inside|within|of|from)\\s+';
const PLACE = `(?:${VAGUE_FILE}|${THE}(?:file\\s+)?${PATH})(?:\\s+file)?`;

const FILE_ZH = `(?:${MARK}|[^\\s,;，；。、：:"'()（）的里中内把将在]*[\\p{L}\\p{N}_-]\\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9]))`;
const VAGUE_ZH = '(?:它|(?:其中|里面)?(?:的)?(?:某|任意)?(?:一)?个?(?:文件)?|其中|哪个文件|这个文件|那个文件)';
const INSIDE_ZH = '\\s*(?:文件)?\\s*(?:里面|里边|里|中|内)?\\s*的?\\s*';
const TO_ZH = '(?:改成|改为|改作|换成|换为|替换成|替换为|变成|变为|->|→|=>)';

const rule = (kind: IntentKind, source: string): IntentRule => ({ kind, pattern: new RegExp(`^${source}$`, 'isu') });

const ENGLISH: readonly IntentRule[] = [
  rule('hello', '(?:hi|hello|hey|howdy|good (?:morning|afternoon|evening|day))(?: there| all| everyone)?[.!]*'),
  rule('help', '(?:help|help me|what can you do|what do you do|how does this work|who are you|what are you|\\?+)[?.!]*'),
  rule('thanks', '(?:thanks|thank you|thx|great|ok|okay|cool)(?: a lot| very much| so much)?[.!]*'),
  rule(
    'recall',
    '(?:what do you (?:still )?(?:remember|know)|do you remember|recall|what did I (?:tell you|say))\\b(?:\\s+about)?\\s*(?<query>.*)',
  ),
  rule('remember', '(?:remember|memori[sz]e|keep in mind|note down)\\b:?\\s*(?:that\\s+)?(?<fact>.+)'),
  rule('ask', 'ask me\\b[\\s:,]*(?<about>.*)'),
  rule(
    'plan',
    '(?:(?:make|create|write|draw up|give|set up|draft|show)\\s+(?:me\\s+|us\\s+)?(?:a|the|my)?\\s*)?(?:short\\s+)?(?:plan|todo list|to-do list|task list)\\b(?<rest>.*)',
  ),
  rule('run', '(?:run|execute|exec)\\b:?\\s+(?:the\\s+)?(?:(?:shell\\s+)?command\\b\\s*:?\\s*)?(?<command>.+)'),
  rule('change', `in\\s+(?<path>${PLACE})[,:]?\\s+(?<verb>change|replace|substitute|swap|edit|modify|update|correct|fix)\\s+(?<rest>.+)`),
  rule(
    'change',
    `(?<verb>change|replace|substitute|swap|edit|modify|update|correct|fix)\\s+(?<rest>.+?)${IN}(?<path>${PLACE})(?<tail>\\s+(?:to|with|into|by)\\s+.+)?`,
  ),
  rule('change', `(?:edit|modify|update|correct|fix|change)\\s+${THE}(?:file\\s+)?(?<path>${FILE})`),
  rule('change', '(?<verb>change|replace|substitute|swap|edit|modify|update|correct|fix)\\s+(?<rest>.+)'),
  rule(
    'write',
    `(?:create|write|make|add|save)\\s+(?:an?\\s+|the\\s+)?(?:(?:new|empty|text)\\s+)*(?:file\\s+(?:called\\s+|named\\s+)?(?<named>${PATH})|(?<path>${FILE}))(?:\\s+file)?(?:[:,]?\\s*(?:with|containing|that says|saying|and write|content)\\s*(?:the\\s+)?(?:(?:text|contents?|words?|line)\\b)?\\s*:?\\s*(?<content>.+)|\\s*:\\s*(?<after>.+))?`,
  ),
  rule(
    'write',
    `(?:write|save|put)\\s+(?:the\\s+(?:text|words?)\\s+)?(?<content>.+?)\\s+(?:to|into|in)\\s+(?:the\\s+|a\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?(?<path>${FILE})`,
  ),
  rule(
    'read',
    `(?:read|show|open|cat|print|display|view|see|look (?:at|into)|what(?:'s|\\s+is|\\s+does)(?:\\s+in)?)\\s+(?:me\\s+)?(?:the\\s+)?(?:contents?\\s+of\\s+)?(?:the\\s+)?(?:file\\s+)?(?<path>${FILE})(?:\\s+file)?(?:\\s+(?:say|says|contain|contains))?`,
  ),
  rule('list', '(?:list|ls|dir)\\b(?<rest>.*)'),
  rule('list', '(?:show|display|see|view|give|tell|what|which)\\b.*?\\b(?:files|folders?|director(?:y|ies)|workspace)\\b(?<rest>.*)'),
  rule(
    'read',
    `(?:(?:show|see|view)\\s+(?:me\\s+)?(?<path>${VAGUE_FILE})|(?:read|open|cat|print)\\s+(?:me\\s+)?(?<named>${VAGUE_FILE}|${PATH}))`,
  ),
];

const CHINESE: readonly IntentRule[] = [
  rule('hello', '(?:你好|您好|嗨|哈喽|哈啰|大家好|早上好|下午好|晚上好)(?:啊|呀)?[!！。~]*'),
  rule('help', '(?:帮助|帮帮我|你(?:能|会|可以)(?:做|干)?(?:什么|些什么|啥)|怎么用|如何使用|你是谁|使用说明)[?？!！。]*'),
  rule('thanks', '(?:谢谢|多谢|感谢|好的|好)(?:你|您|啦|了)?[!！。]*'),
  rule('recall', '(?:你?(?:还)?记得|你?(?:都)?记住了|回忆|你?知道我)(?:一下)?(?:关于)?\\s*(?<query>.*)'),
  rule('remember', '(?:记住|记下|记一下|请记住)\\s*[:：，,]?\\s*(?<fact>.+)'),
  rule('ask', '(?:问一下我|问问我|问我|询问我)(?:一下)?[\\s，,：:]*(?<about>.*)'),
  rule('plan', '(?:(?:制定|做|列|写|定|给我|拟)(?:一?个|一份|一下)?)?(?:计划|规划|待办)(?:清单|列表|一下)?(?<rest>.*)'),
  rule('run', '(?:运行|执行|跑一下|跑)(?:一下)?\\s*(?:命令)?\\s*[:：]?\\s*(?<command>.+)'),
  rule(
    'change',
    `(?:在|到)?\\s*(?<path>${FILE_ZH}|其中一个文件|其中一个|某个文件|一个文件)\\s*(?:文件)?\\s*(?:里面|里边|里|中|内)[，,]?\\s*(?:把|将)\\s*(?<rest>.+)`,
  ),
  rule(
    'change',
    `(?:请)?(?:把|将)\\s*(?<path>${FILE_ZH}|其中一个文件|其中一个|某个文件|一个文件)\\s*(?:文件)?\\s*(?:(?:里面|里边|里|中|内)\\s*的?|的)\\s*(?<rest>.+?${TO_ZH}.+)`,
  ),
  rule('change', `(?:把|将)\\s*(?<rest>.+?\\s*${TO_ZH}\\s*.+)`),
  rule(
    'change',
    `(?:把|将)\\s*(?:(?<path>${FILE_ZH}|${VAGUE_ZH})${INSIDE_ZH})?(?<rest>(?:某)?(?:一)?个?(?:单词|词|字|地方|文字|内容))\\s*(?:改掉|换掉|改一下|换一下|改了|修改一下|替换掉)`,
  ),
  rule('change', `(?:修改|改动|更改|替换|改|换)(?:一下|掉)?\\s*(?<path>${FILE_ZH})(?:${INSIDE_ZH}(?<rest>.*))?`),
  rule(
    'change',
    `(?:修改|改动|更改|替换|改|换)(?:一下|掉)?\\s*(?<path>${VAGUE_ZH})${INSIDE_ZH}(?<rest>(?:某)?(?:一)?个?(?:单词|词|字|地方|文字|内容|文件)?)`,
  ),
  rule('change', `(?:修改|更改|替换|改|换)\\s*(?<rest>.+?${TO_ZH}.+)`),
  rule(
    'change',
    `(?:在|到)\\s*(?<path>${FILE_ZH}|${VAGUE_ZH})\\s*(?:文件)?\\s*(?:里面|里边|里|中|内)\\s*(?:修改|更改|替换|改|换)(?:一下|掉)?\\s*(?<rest>.*)`,
  ),
  rule(
    'write',
    `(?:新建|创建|建立|建|写入?|生成)(?:一个)?\\s*(?:新)?(?:的)?(?:文件)?\\s*(?<path>${FILE_ZH})(?:\\s*文件)?(?:\\s*[，,]?\\s*(?:内容(?:是|为|写)?|写上|写入|写|里面写)\\s*[:：]?\\s*(?<content>.+)|\\s*[:：]\\s*(?<after>.+))?`,
  ),
  rule(
    'write',
    `(?:把|将)\\s*(?<content>.+?)\\s*(?:写入|写到|写进|存到|保存到|存入)\\s*(?:文件)?\\s*(?<path>${FILE_ZH})(?:\\s*(?:里面|里|中))?`,
  ),
  rule(
    'read',
    `(?:读取|读一下|读一读|读|打开|查看|显示|看看|看一下|看)(?:一下)?\\s*(?:文件)?\\s*(?<path>${FILE_ZH})(?:\\s*(?:文件)?(?:的)?(?:内容)?)?`,
  ),
  rule('read', `(?<path>${FILE_ZH})\\s*(?:里面?|中)?(?:写了|有|是)(?:什么|啥)(?:内容)?`),
  rule('list', '(?:列出|列一下|列举|列|显示|看看|看一下|查看)(?<rest>.*(?:文件|目录|文件夹|列表|工作区).*)'),
  rule('list', '(?<rest>.*(?:有|是)(?:哪些|什么|啥)(?:文件|目录|东西).*|.*(?:哪些|什么)文件.*)'),
  rule('read', '(?:读取|读一下|读|打开|看看|看一下)\\s*(?:一下)?(?<path>它|其中一个(?:文件)?|一个文件|某个文件|这个文件|那个文件|一个)'),
];

export const INTENT_RULES = { en: ENGLISH, 'zh-CN': CHINESE } as const;

/** What may stand before the verb of a clause. */
export const FILLERS =
  /^(?:(?:please|pls|first|firstly|then|now|next|finally|also|afterwards|and|just|kindly|so|can you|could you|would you|will you|i want you to|i'd like you to|i would like you to|i want to|you should|let's|let us)\b[\s,:]*|(?:请你|请|麻烦你?|帮我|帮忙|给我|我想要?|我要|可以|能不能|能否|首先|然后|接着|最后|之后|随后|现在|并且|并|再|先|你|去|来)[\s，,]*)/iu;

/** Between two clauses, when a new one begins after it. */
export const SEPARATORS = /([,;，；。、！!\n]+|\.\s+|\?\s+|\s+(?:and then|and|then|after that)\s+|然后|接着|并且|并|再|之后|最后)/iu;

/** Pieces that say nothing. */
export const POLITE = /^(?:please|pls|for me|now|too|as well|谢谢你?|拜托了?|好吗|可以吗|吧)$/iu;
