/**
 * `npm run docs:tools`: writes docs/tools.md and docs/tools.zh-CN.md from the built catalog. With --check it writes nothing and names each file that
 * differs, with exit code 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
const { builtinTools } = require('../dist/src/builtin_tools.js');
const { getAllToolNames, getSchema, getToolsets, TOOLSET_DEFAULTS } = require('../dist/src/tools/catalog.js');
const { firstSentence, toolTexts } = require('../dist/src/tools/tool_spec.js');
const { chooseLines, conditionWords, whenToUseLines } = require('../dist/src/runtime/prompt_guidance.js');
const { TOOL_LIMITS } = require('../dist/src/runtime/tool_runner/tool_limits.js');

const runnable = new Map(builtinTools().map(tool => [tool.name, tool]));
const number = value => value.toLocaleString('en-US');
const seconds = milliseconds => `${milliseconds / 1000} s`;

const TEXTS = {
  en: {
    file: 'docs/tools.md',
    head: `# Tools

Made from the tool catalog by \`npm run docs:tools\`; a test fails when this page differs from the catalog. [中文](tools.zh-CN.md)

The profile of an agent, \`config/agents/*.yaml\`, lists its toolsets. A profile without \`toolsets\` gets ${list(TOOLSET_DEFAULTS)}; \`tools: [calculator]\` adds single tools. To give the default agent file search, web, data and a terminal too, write \`toolsets: [base, planning, interaction, files, web, data, terminal]\` in \`config/agents/default.yaml\`.

An agent never has two tools for one job: next to \`base\`, the tools of \`files\` that do the same job are left out, unless \`tools\` names them. \`POST /api/v1/tools/call\` calls any tool that runs here, whatever the profiles say. To add a tool, see [Writing a tool](guides/write-a-tool.md).

The tables come from the files of the tools. The column "when to use it" is the tool's line in the system prompt of an agent that has no other tool; beside others, some tools have a different line.`,
    limits: `## Rules for every call

### Effect and parallel calls

\`read\` changes nothing, \`idempotent\` may be done twice, \`write\` changes the workspace or the session, \`external\` changes the world outside. Up to ${TOOL_LIMITS.maxParallel} reads of one model answer run in parallel. As soon as one call of the answer does more than read, its calls run one after the other. Questions are the exception: a run that waits for people asks all questions of one answer at the same time, as long as every other call of that answer only reads.

### Approvals

Some calls wait for a person's approval before they start: calls that a rule of the operator asks about, every command when no sandbox works here (only destructive-looking commands with \`NETA_SANDBOX=none\`), files that usually hold keys, and requests that could carry private content out. If no person can be asked, the call is refused. See [Approvals](guides/approvals.md).

### Timeouts

A call ends at the time limit in the tables: ${seconds(TOOL_LIMITS.timeoutMs)} unless the tool has its own. Waiting for a person does not count.

### Retries

A read or idempotent call that fails for a passing reason is retried, up to ${TOOL_LIMITS.maxTries} tries in all, after about ${TOOL_LIMITS.retryMs} and ${TOOL_LIMITS.retryMs * 2} ms. Other calls are never retried.

### Caching

The result of a read is cached and answers the same call again, from any session, for 5 minutes (\`NETA_TOOL_CACHE_TTL_MS\`, 0 turns the cache off) or until anything is written or a command runs. Failures are not cached. When one model answer makes the same read twice, it runs once. A result from the cache is marked \`cached\`; \`duplicate\` marks a call that the same session, or the same model answer, made before. A reading tool with "no" in the column "cached" reads again each time, because its subject may have changed.

### Truncation

The model gets at most ${number(TOOL_LIMITS.resultLength)} characters of one result and ${number(TOOL_LIMITS.attemptLength)} of all results to one answer, but at least ${number(TOOL_LIMITS.leastLength)} of each. A longer result is truncated in the middle; the whole text is in \`.neta/results/SESSION/\` of the workspace, where \`read_file\` opens it, until the session is deleted.

### Direct calls

A call over \`POST /api/v1/tools/call\` always runs: it is never answered from the cache, never truncated, and not counted by the loop detection.

### Loop detection

When the same call gives the same result for the ${TOOL_LIMITS.hintAt}rd time in a run, the result carries a hint for the model; refused calls count too. The ${TOOL_LIMITS.blockAt}th same call does not run, and no person is asked to approve it.

### Argument repair

A tool name with a slip is accepted when it can mean only one tool of the run. Arguments that are almost JSON and complete are repaired for calls that read; a call that would write goes back to the model.

### Calls written as text

Some models write a call into their text, such as \`<tool_call>{"name": ..., "arguments": {...}}</tool_call>\`. The formats of Hermes, Qwen, Llama, Mistral, DeepSeek, GLM, Kimi, Command R, gpt-oss and others are understood, and so are the lines \`Action:\` and \`Action Input:\`. Such a call becomes an ordinary call: the history and the log hold it, and rules ask for approval. The person sees the text around it.

A call counts only when the answer has no call of its own and no limit cut it, when the name is exact and the arguments are valid. Code, quotations, thoughts, and what a tool or the person said before never count. A fenced block or JSON alone counts only at the end of the answer, and not when the latest message asks for code, JSON or an example. When a text looks like a call and cannot run, the model is told why, once in a run ([decision 0047](decisions/0047-tool-calls-written-as-text.md)).

### Ignored files

\`search\` and \`file_list\` follow the \`.gitignore\` files of the workspace, nested ones and negation included, whether or not the directory is a git repository. A file that a \`.gitignore\` names is left out, such a directory is not entered, and neither are \`.git\`, \`node_modules\` and the like. \`include_ignored\` turns this off. So does naming: \`path\` may be an ignored directory, and a \`file_list\` pattern may spell out an ignored name. Skipped are a \`.gitignore\` over 64 KiB or after the first 200 of a search, and rules over 256 characters, with more than two \`**\`, or after the first 1,000.

### Files changed by others

A session cannot change a file that another writer has changed since the session last read or wrote it: it has to read the file again first. The gateway remembers in memory what the 500 most recently used sessions have read. After a restart, and for files that were never read, it knows nothing and refuses nothing. \`patch\` still has to find its text, and a person can undo \`write_file\` unless the old content was too large to keep.`,
    columns: ['tool', 'what it does', 'when to use it', 'arguments', 'effect', 'time limit', 'tries', 'cached'],
    colon: ': ',
    unlimited: 'none',
    yes: 'yes',
    no: 'no',
    byDefault: 'Agents have this toolset unless their profile names other toolsets.',
    onDemand: 'Agents have this toolset only when their profile names it.',
    leftOut: name => ` Left out beside \`${name}\`.`,
    notYet: 'The catalog describes these tools; they are not available yet.',
  },
  'zh-CN': {
    file: 'docs/tools.zh-CN.md',
    head: `# 工具

本页由 \`npm run docs:tools\` 从工具目录生成；与目录不一致时测试会失败。[English](tools.md)

智能体档案 \`config/agents/*.yaml\` 列出它的工具集。没有写 \`toolsets\` 时使用 ${list(TOOLSET_DEFAULTS)}；\`tools: [calculator]\` 可再添加单个工具。要让默认智能体也能搜索文件、访问网络、处理数据并使用终端，在 \`config/agents/default.yaml\` 中写 \`toolsets: [base, planning, interaction, files, web, data, terminal]\`。

同一件事不会有两个工具：与 \`base\` 同时使用时，\`files\` 中功能重复的工具不提供，除非在 \`tools\` 中写明。\`POST /api/v1/tools/call\` 可以直接调用此处能运行的任何工具，与智能体档案无关。添加工具的方法见[写一个工具](guides/write-a-tool.zh-CN.md)。

表格取自各工具的源文件。“何时使用”一栏是智能体只有这一个工具时，系统提示词中的那一行；与其他工具同时使用时，有的工具会换一种说法。`,
    limits: `## 每次调用的规则

### 副作用与并行

\`read\` 不改变任何东西，\`idempotent\` 做两次等于做一次，\`write\` 改变工作区或会话，\`external\` 改变外部世界。模型一次回答中最多 ${TOOL_LIMITS.maxParallel} 个读取并行执行；只要其中有一个调用不只是读取，该回答的调用就依次执行。提问例外：会等人的运行把一次回答中的所有问题同时提出，只要该回答的其他调用都只是读取。

### 审批

以下调用在开始之前要等人批准：运维者的规则要求询问的调用，没有可用沙箱时的每条命令（设置了 \`NETA_SANDBOX=none\` 时只有看起来有破坏性的命令），通常存放密钥的文件，以及可能带出私有内容的请求。无人可问时拒绝执行。见[审批](guides/approvals.zh-CN.md)。

### 超时

调用到达表中的时间限制即结束；工具没有自己的限制时为 ${seconds(TOOL_LIMITS.timeoutMs)}。等待人的时间不计。

### 重试

读取类和幂等的调用遇到暂时性失败时会重试，总共最多 ${TOOL_LIMITS.maxTries} 次，间隔约 ${TOOL_LIMITS.retryMs} 和 ${TOOL_LIMITS.retryMs * 2} 毫秒。其他调用绝不重试。

### 缓存

读取的结果会被缓存，用来回答任何会话中相同的调用，有效期 5 分钟（\`NETA_TOOL_CACHE_TTL_MS\`，0 表示关闭缓存），有任何写入或命令执行时立即失效。失败不缓存。模型一次回答中相同的读取只执行一次。来自缓存的结果带有 \`cached\` 标记；同一会话或同一次模型回答中已有过的调用带有 \`duplicate\` 标记。“缓存”一栏为“否”的读取类工具每次都重新读取，因为所看的内容可能已变。

### 截断

模型从一个结果中最多得到 ${number(TOOL_LIMITS.resultLength)} 个字符，一次回答的所有结果合计最多 ${number(TOOL_LIMITS.attemptLength)} 个，但每个结果至少 ${number(TOOL_LIMITS.leastLength)} 个。更长的结果从中间截断，全文保存在工作区的 \`.neta/results/会话/\` 中，可用 \`read_file\` 打开，直到会话被删除。

### 直接调用

通过 \`POST /api/v1/tools/call\` 的调用总会执行：不使用缓存，不截断，也不计入循环检测。

### 循环检测

一次运行中，相同的调用第 ${TOOL_LIMITS.hintAt} 次得到相同的结果时，结果附带给模型的提示；被退回的调用也计算在内。第 ${TOOL_LIMITS.blockAt} 次相同的调用不再执行，也不再请人批准。

### 参数修复

工具名有笔误、但只可能指本次运行中的某一个工具时，按该工具处理。接近 JSON 且没有被截断的参数，在读取类调用中会被修复；会写入的调用则退回给模型。

### 写成文字的调用

有些模型会把调用写进文字里，例如 \`<tool_call>{"name": ..., "arguments": {...}}</tool_call>\`。能识别 Hermes、Qwen、Llama、Mistral、DeepSeek、GLM、Kimi、Command R、gpt-oss 等的格式，以及 \`Action:\` 和 \`Action Input:\` 两行的写法。这样的调用会变成普通的调用：历史和日志里都有它，规则同样会要求审批。用户看到的是它前后的文字。

只有当回答中没有正式的调用、也没有被上限截断，并且工具名完全一致、参数有效时才算数。代码、引文、思考过程，以及工具或用户先前说过的内容都不算。代码块或单独的 JSON 只有在回答末尾才算；最近一条消息要的是代码、JSON 或示例时也不算。看起来像调用却不能执行的文字，会把原因告诉模型，每次运行一次（[决策 0047](decisions/0047-tool-calls-written-as-text.md)）。

### 被忽略的文件

\`search\` 和 \`file_list\` 遵守工作区中的 \`.gitignore\`，包括嵌套的 \`.gitignore\` 和取反规则，不要求目录是 git 仓库。\`.gitignore\` 所列的文件不出现在结果中，所列的目录不进入；\`.git\`、\`node_modules\` 等目录同样不进入。\`include_ignored\` 关闭此行为；直接写出名称也可以：\`path\` 可以是被忽略的目录，\`file_list\` 的模式可以写明被忽略的名称。以下内容不起作用：超过 64 KiB 的 \`.gitignore\`、一次搜索中第 200 个之后的 \`.gitignore\`，以及超过 256 个字符、\`**\` 多于两个或第 1,000 条之后的规则。

### 他人改动的文件

会话上次读写之后，文件若被他人改动，会话必须重新读取才能修改。网关只在内存中记住最近使用的 500 个会话读过什么；重启之后，以及对从未读过的文件，网关没有记录，因此不会拒绝。\`patch\` 仍须找到原文；\`write_file\` 可以撤销，除非原有内容太大而没有保留。`,
    columns: ['工具', '用途', '何时使用', '参数', '副作用', '时间限制', '尝试次数', '缓存'],
    colon: '：',
    unlimited: '无',
    yes: '是',
    no: '否',
    byDefault: '智能体默认拥有，除非其档案指定了其他工具集。',
    onDemand: '只有在档案中列出它的智能体才拥有。',
    leftOut: name => `与 \`${name}\` 同时使用时不提供。`,
    notYet: '目录中已有说明，但尚不可用。',
  },
};

function list(names) {
  return names.map(name => `\`${name}\``).join(', ');
}

function page(locale) {
  const { head, limits } = TEXTS[locale];
  return `${[head, limits, ...getToolsets().map(toolset => section(toolset, locale))].join('\n\n')}\n`;
}

function section(toolset, locale) {
  const { columns, byDefault, onDemand, notYet } = TEXTS[locale];
  const specs = getAllToolNames([toolset]).map(getSchema);
  const isRunnable = specs.some(spec => runnable.has(spec.name));
  const who = isRunnable ? (TOOLSET_DEFAULTS.includes(toolset) ? byDefault : onDemand) : notYet;
  const rows = [columns, columns.map(() => '---'), ...specs.map(spec => row(spec, locale))];
  return `## ${toolset}\n\n${who}\n\n${rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')}`;
}

function row(spec, locale) {
  const { label, description } = toolTexts(spec, locale);
  const doubled = runnable.get(spec.name)?.doubles;
  const note = doubled ? TEXTS[locale].leftOut(doubled) : '';
  const does = `**${label}**${TEXTS[locale].colon}${firstSentence(description)}${note}`;
  const cells = [`\`${spec.name}\``, does, whenToUse(spec, locale), argumentsOf(spec), `\`${spec.effect}\``, ...limitsOf(spec, locale)];
  return cells.map(cell => cell.replaceAll('|', '\\|'));
}

/** The line of the prompt for an agent that has this tool alone. */
function whenToUse(spec, locale) {
  return chooseLines(whenToUseLines(spec, locale), conditionWords([spec.name], [spec])).join(' ');
}

function limitsOf({ name, effect }, locale) {
  const { unlimited, yes, no } = TEXTS[locale];
  const tool = runnable.get(name);
  if (!tool) return ['', '', ''];
  const { timeoutMs = TOOL_LIMITS.timeoutMs, isVolatile } = tool;
  const isRepeatable = effect === 'read' || effect === 'idempotent';
  const isKept = effect === 'read' && !isVolatile;
  return [timeoutMs === Infinity ? unlimited : seconds(timeoutMs), isRepeatable ? String(TOOL_LIMITS.maxTries) : '1', isKept ? yes : no];
}

function argumentsOf({ parameters: { properties = {}, required = [] } }) {
  const names = Object.entries(properties).map(([name, schema]) => `\`${name}${required.includes(name) ? '' : '?'}\`${boundsOf(schema)}`);
  return names.join(', ');
}

function boundsOf({ minimum, maximum, maxLength, maxItems }) {
  if (maximum !== undefined) return ` ${number(minimum ?? 0)}–${number(maximum)}`;
  const most = maxLength ?? maxItems;
  return most === undefined ? '' : ` ≤ ${number(most)}`;
}

const isCheck = process.argv.includes('--check');
for (const [locale, { file }] of Object.entries(TEXTS)) {
  const path = join(root, file);
  const text = page(locale);
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${file} is not what the catalog says: run "npm run docs:tools".`);
    process.exitCode = 1;
  }
}
