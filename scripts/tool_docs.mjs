/**
 * `npm run docs:tools`: writes docs/tools.md and docs/tools.zh-CN.md from the built catalog. With --check it writes nothing and names each file that
 * differs, with exit code 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
const { builtinTools, getAllToolNames, getSchema, getToolsets, TOOLSET_DEFAULTS } = require('../dist/src/tools/catalog.js');
const { TOOL_LIMITS } = require('../dist/src/runtime/tool_limits.js');

const runnable = new Map(builtinTools().map(tool => [tool.name, tool]));
const number = value => value.toLocaleString('en-US');
const seconds = milliseconds => `${milliseconds / 1000} s`;

const TEXTS = {
  en: {
    file: 'docs/tools.md',
    head: `# Tools

Made from the tool catalog by \`npm run docs:tools\`; a test fails when this page is not what the catalog says. [中文](tools.zh-CN.md)

An agent has the tools of the toolsets in its profile, \`config/agents/*.yaml\`: ${list(TOOLSET_DEFAULTS)} unless it names others; \`tools: [calculator]\` adds single ones. \`toolsets: [base, planning, interaction, files, web, data, terminal]\` in \`config/agents/default.yaml\` gives the default agent the search and more of \`files\`, web, data and a terminal too, from the next start on. An agent never has two tools for one job: beside \`base\`, the tools of \`files\` that double it are left out unless \`tools\` names them. \`POST /api/v1/tools/call\` calls any tool that runs here, whatever the agents have. How to add one: [Writing a tool](guides/write-a-tool.md).`,
    limits: `## Around every call

- **Effect.** \`read\` changes nothing, \`idempotent\` may be done twice, \`write\` changes the workspace or the session, \`external\` the world outside. Up to ${TOOL_LIMITS.maxParallel} reads of one model answer run at the same time; as soon as one call in it does more, they run one after the other.
- **Asked.** What a rule of the operator asks about, and without a sandbox a command that looks destructive, waits for a person's yes before it begins; with nobody to ask it is refused ([approvals](guides/approvals.md)).
- **Time.** A call ends at the time limit in the tables, ${seconds(TOOL_LIMITS.timeoutMs)} unless the tool has its own; waiting for a person does not count.
- **Tries.** What reads or is idempotent is tried up to ${TOOL_LIMITS.maxTries} times when it fails for the moment, after about ${TOOL_LIMITS.retryMs} and ${TOOL_LIMITS.retryMs * 2} ms. Nothing else is ever repeated.
- **Kept.** A result that is kept answers the same call again, for 5 minutes (\`NETA_TOOL_CACHE_TTL_MS\`, 0 = never) or until anything is written or a command runs. Failures are not kept. The same read twice in one answer of the model is made once. That a session asked the same before (\`duplicate\`) is known from what is kept: a read that is not kept looks again each time, because what it looks at may have changed, and with 0 every read does.
- **Length.** The model gets at most ${number(TOOL_LIMITS.resultLength)} characters of a result and ${number(TOOL_LIMITS.attemptLength)} of all results to one answer, but ${number(TOOL_LIMITS.leastLength)} of each; the whole of a longer one is in \`.neta/results/SESSION/\` of the workspace, where \`read_file\` opens it, until the session is deleted. That is in a run; a direct call is always made, never answered from what is kept, and answered whole.
- **Circles.** The ${TOOL_LIMITS.hintAt}rd same result of the same call in a run comes with a hint, also when the call was refused; the ${TOOL_LIMITS.blockAt}th same call is not made, and nobody is asked to approve it. Direct calls are not counted.
- **Mistakes.** A name that can only mean one tool of the run is understood. Arguments that are almost JSON, and not cut, are understood when the call reads; a call that would write is returned to the model.
- **Changed by others.** A file that a session has read or written, and that is another now, is not changed until the session has read it again. What was read is known in memory, for the 500 sessions used last: after a restart, or of a file never read, nothing is known and nothing is refused. \`patch\` still has to find its text; what \`write_file\` replaces can be brought back (undo), unless it is too large to keep.`,
    columns: ['tool', 'what it does', 'arguments', 'effect', 'time limit', 'tries', 'kept'],
    colon: ': ',
    unlimited: 'none',
    yes: 'yes',
    no: 'no',
    byDefault: 'Agents have it unless their profile names other toolsets.',
    onDemand: 'For agents whose profile names it.',
    leftOut: name => ` Left out beside \`${name}\`.`,
    notYet: 'Described in the catalog, not available yet.',
  },
  'zh-CN': {
    file: 'docs/tools.zh-CN.md',
    head: `# 工具

本页由 \`npm run docs:tools\` 从工具目录生成；与目录不一致时测试会失败。[English](tools.md)

智能体拥有其配置 \`config/agents/*.yaml\` 中所列工具集的工具：未另行指定时为 ${list(TOOLSET_DEFAULTS)}；\`tools: [calculator]\` 可再添加单个工具。在 \`config/agents/default.yaml\` 中写 \`toolsets: [base, planning, interaction, files, web, data, terminal]\`，重启后默认智能体也有 \`files\` 的搜索等工具，能访问网络、处理数据，并有终端。同一件事不会有两个工具：与 \`base\` 同时使用时，\`files\` 中与之重复的工具不会提供，除非在 \`tools\` 中写明。\`POST /api/v1/tools/call\` 可以直接调用此处能运行的任何工具，与智能体的配置无关。添加工具的方法见[写一个工具](guides/write-a-tool.zh-CN.md)。`,
    limits: `## 每次调用的规则

- **影响。** \`read\` 不改变任何东西，\`idempotent\` 做两次等于做一次，\`write\` 改变工作区或会话，\`external\` 改变外部世界。模型一次回答中最多 ${TOOL_LIMITS.maxParallel} 个读取同时进行；只要其中有一个调用不只是读取，就依次执行。
- **询问。** 运维者的规则要求询问的调用，以及没有沙箱时看起来有破坏性的命令，开始之前要等人同意；无人可问时拒绝（[审批](guides/approvals.zh-CN.md)）。
- **时间。** 调用到达表中的时间限制即结束，工具未另行规定时为 ${seconds(TOOL_LIMITS.timeoutMs)}；等待用户的时间不计。
- **尝试。** 读取类和幂等的调用暂时失败时最多尝试 ${TOOL_LIMITS.maxTries} 次，间隔约 ${TOOL_LIMITS.retryMs} 和 ${TOOL_LIMITS.retryMs * 2} 毫秒。其他调用绝不重复。
- **保留。** 保留的结果会再次回答相同的调用，为期 5 分钟（\`NETA_TOOL_CACHE_TTL_MS\`，0 表示不保留），或直到有任何写入或命令执行。失败不保留。模型一次回答中相同的读取只执行一次。会话是否问过同样的内容（\`duplicate\`）由保留的结果得知：不保留的读取每次都重新查看，因为所看的内容可能已变；设为 0 时所有读取都如此。
- **长度。** 模型从一个结果中最多得到 ${number(TOOL_LIMITS.resultLength)} 个字符，一次回答的所有结果合计 ${number(TOOL_LIMITS.attemptLength)} 个，但每个至少 ${number(TOOL_LIMITS.leastLength)} 个；更长的结果完整保存在工作区的 \`.neta/results/会话/\` 中，可用 \`read_file\` 打开，直到会话被删除。以上适用于运行；直接调用总会执行，不用保留的结果作答，并完整返回。
- **循环。** 一次运行中相同调用第 ${TOOL_LIMITS.hintAt} 次得到相同结果时附带提示，被退回的调用也一样；第 ${TOOL_LIMITS.blockAt} 次相同调用不再执行，也不再征求同意。直接调用不计数。
- **笔误。** 只可能指本次运行中某一个工具的名称会被理解。接近 JSON 且没有被截断的参数在读取类调用中会被理解；会写入的调用退回给模型。
- **他人改动。** 会话读过或写过的文件若已被改动，要先重新读取才能修改。读过什么只记在内存中，为最近使用的 500 个会话保留：重启之后，或对从未读过的文件，一无所知，也就不拒绝。\`patch\` 仍须找到原文；\`write_file\` 替换掉的内容可以撤回，除非大到无法保留。`,
    columns: ['工具', '用途', '参数', '影响', '时间限制', '尝试次数', '保留'],
    colon: '：',
    unlimited: '无',
    yes: '是',
    no: '否',
    byDefault: '智能体默认拥有，除非其配置指定了其他工具集。',
    onDemand: '供配置中列出它的智能体使用。',
    leftOut: name => `与 \`${name}\` 同时使用时不提供。`,
    notYet: '目录中已有说明，尚不可用。',
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
  const words = locale === 'en' ? spec : spec.translations[locale];
  const doubled = runnable.get(spec.name)?.doubles;
  const note = doubled ? TEXTS[locale].leftOut(doubled) : '';
  const does = `**${words.label}**${TEXTS[locale].colon}${firstSentence(words.description)}${note}`;
  return [`\`${spec.name}\``, does, argumentsOf(spec), `\`${spec.effect}\``, ...limitsOf(spec, locale)].map(cell =>
    cell.replaceAll('|', '\\|'),
  );
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

/** A full stop inside brackets, a name or a number does not end a sentence. */
const firstSentence = text => /^.*?(?:[.](?=\s)|。|$)/s.exec(text)?.[0] ?? text;

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
