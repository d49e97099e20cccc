/**
 * Notices for operators: a code, and a sentence in each language. Services describe a mistake in one English sentence, which logs and /readyz show;
 * here the sentence gets its code, its place and its Chinese.
 */
import type { Notice } from '../schemas/config_schemas';

/** Matches `agents/default.yaml: /toolsets/0: there is no toolset "x" (line 2).` Field and line may be missing. */
const IN_FILE = /^([\w./-]+\.(?:ya?ml|md)):(?:(\d+):)?\s*(?:(\/[^:\s]*):\s*)?(.*?)(?: \(line (\d+)\)| at line (\d+), column \d+:?)?\.?$/is;

/** Reasons without file, field and line. The Chinese takes the groups as $1, $2. A reason that is not here is left out of the Chinese sentence. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^there is no field (\S+)$/, '没有字段 $1'],
  [/^is required$/, '必填'],
  [/^must be one of (.+)$/s, '必须是以下之一：$1'],
  [/^must be (?:an? )?(string|boolean|object|array|integer|number)$/, '类型必须是 $1'],
  [/^must be (?:integer|number) of at least (.+)$/, '不能小于 $1'],
  [/^must be (?:integer|number) of at most (.+)$/, '不能大于 $1'],
  [/^must be (?:integer|number) greater than (.+)$/, '必须大于 $1'],
  [/^must be (?:integer|number) less than (.+)$/, '必须小于 $1'],
  [/^must be at least (\d+) characters long$/, '至少 $1 个字符'],
  [/^must be at most (\d+) characters long$/, '最多 $1 个字符'],
  [/^must match the pattern (.+)$/s, '必须符合模式 $1'],
  [/^must have at least (\d+) items$/, '至少 $1 项'],
  [/^must have at most (\d+) items$/, '最多 $1 项'],
  [/^must have no two items that are the same$/, '不能有重复项'],
  [/^must match one of the forms that the schema allows$/, '必须符合允许的形式之一'],
  [/^there is no toolset "([^"]+)"/, '没有工具集“$1”'],
  [/^there is no tool "?([^"]+?)"?$/, '没有工具“$1”'],
  [/^there is no MCP server and no manifest "([^"]+)"$/, '没有名为“$1”的 MCP 服务器或工具清单'],
  [/^there is no model "([^"]+)"/, '没有模型“$1”'],
  [/^"([^"]+)" needs members$/, '“$1”需要 members'],
  [/^the toolset "crew" needs members$/, '工具集“crew”需要 members'],
  [/^(\S+) already describes an agent "([^"]+)"$/, '$1 已描述智能体“$2”'],
  [/^an agent cannot be its own member$/, '智能体不能是自己的成员'],
  [/^an agent profile named "default" is needed$/, '需要名为“default”的智能体'],
  [/^another model has the id "([^"]+)" too$/, '另一个模型也有 id“$1”'],
  [/^holds the invisible character (\S+); remove it$/, '含有不可见字符 $1，请删除'],
  [/^the file is over 256 KiB$/, '文件超过 256 KiB'],
  [/^is a secret of the gateway itself$/, '是网关自身的机密'],
];

/** Whole sentences. */
const SENTENCES: readonly { code: Notice['code']; pattern: RegExp; zh: string }[] = [
  {
    code: 'price',
    pattern: /^limits\.yaml: maxCostUsd and costPerDayUsd do not limit (.+?): no price is known\./,
    zh: 'limits.yaml：maxCostUsd 和 costPerDayUsd 对 $1 不起作用：没有已知的价格。请在 models.yaml 中设置 price。',
  },
  {
    code: 'tool',
    pattern: /^\S+: (\S+): The tool (\S+) is not offered to this model\./,
    zh: '模型 $1：其服务器不接受工具 $2，因此不向它提供。',
  },
  {
    code: 'model',
    pattern: /^\S+: (\S+): The model server refuses the API key \(HTTP 401\)\.$/,
    zh: '模型 $1：模型服务器拒绝了 API 密钥（HTTP 401）。',
  },
  {
    code: 'model',
    pattern: /^\S+: (\S+): The model server forbids what the API key asks for \(HTTP 403\)\.$/,
    zh: '模型 $1：模型服务器不允许此 API 密钥的请求（HTTP 403）。',
  },
  { code: 'model', pattern: /^\S+: (\S+): The model server fails \(HTTP (\d+)\)\.$/, zh: '模型 $1：模型服务器出错（HTTP $2）。' },
  {
    code: 'model',
    pattern: /^\S+: (\S+): The model server did not answer within (\d+) s\.$/,
    zh: '模型 $1：模型服务器在 $2 秒内没有响应。',
  },
  {
    code: 'model',
    pattern: /^\S+: (\S+): The environment variable (\S+), which should hold its key, is not set\.$/,
    zh: '模型 $1：应包含其密钥的环境变量 $2 没有设置。',
  },
  { code: 'model', pattern: /^(?:OPENAI_BASE_URL|models\.yaml): ([^\s/:]+): [A-Z]/, zh: '模型 $1：模型服务器无法使用。' },
  {
    code: 'other',
    pattern: /^TZ is empty, /,
    zh: 'TZ 为空，网关使用 UTC。请把 TZ 设为 Asia/Shanghai 这样的名称；取消设置则使用 /etc/localtime。',
  },
  {
    code: 'other',
    pattern: /^TZ=(.*) is no time zone /s,
    zh: '网关不认识时区 TZ=$1，改用 UTC。请把 TZ 设为 Asia/Shanghai 这样的名称。',
  },
  {
    code: 'other',
    pattern: /^TZ=(.*) is no name of a time zone; as a rule it means (.+?)\. Set/s,
    zh: 'TZ=$1 不是时区名称；按规则解读为 $2。请把 TZ 设为 Asia/Shanghai 这样的名称。',
  },
  {
    code: 'other',
    pattern: /^(\S+) has no name; its rule (\S+) means (.+?)\. Set/,
    zh: '$1 没有名称；其规则 $2 解读为 $3。请把 TZ 设为 Asia/Shanghai 这样的名称。',
  },
  {
    code: 'other',
    pattern: /^\/etc\/localtime and \/etc\/timezone name no time zone, /,
    zh: '/etc/localtime 和 /etc/timezone 都没有给出时区，网关使用 UTC。请把 TZ 设为 Asia/Shanghai 这样的名称。',
  },
  { code: 'mcp_tools', pattern: /^NETA_MCP_TOOLS: there is no tool (\S+) now\.$/, zh: 'NETA_MCP_TOOLS：现在没有工具 $1。' },
  { code: 'mcp_server', pattern: /^MCP server ([^:]+): /, zh: 'MCP 服务器 $1 未连接。' },
  { code: 'mcp_server', pattern: /^mcp\.yaml: ([^\s/:]+): /, zh: 'MCP 服务器 $1 的配置有错误。' },
  { code: 'skill', pattern: /^skills\/([^:]+): /, zh: '技能 $1 有错误，未启用。' },
];

export function toNotice(message: string): Notice {
  for (const { code, pattern, zh } of SENTENCES) {
    const match = pattern.exec(message);
    if (match) return { code, message, messageZh: filled(zh, match) };
  }
  const match = IN_FILE.exec(message);
  if (!match) return { code: 'other', message, messageZh: '有一项需要处理，详情见网关日志。' };
  const [, file = '', early, field, reason = '', late, ofSyntax] = match;
  const line = early ?? late ?? ofSyntax;
  const place = `${file}${line === undefined ? '' : ` 第 ${line} 行`}${field ? `，字段 ${field}` : ''}`;
  return {
    code: codeOf(file),
    message,
    messageZh: `${place}：${reasonZh(reason) ?? '内容有错误'}。`,
    file,
    field: field || undefined,
    line: line === undefined ? undefined : Number(line),
  };
}

function codeOf(file: string): Notice['code'] {
  if (file.startsWith('agents/')) return 'agent';
  if (file.startsWith('skills/')) return 'skill';
  return file.startsWith('tools/') || file.startsWith('tool-settings/') ? 'tool' : 'file';
}

function reasonZh(reason: string): string | undefined {
  for (const [pattern, zh] of REASONS) {
    const match = pattern.exec(reason);
    if (match) return filled(zh, match);
  }
  return undefined;
}

const filled = (text: string, groups: RegExpExecArray): string => text.replace(/\$(\d)/g, (_, n: string) => groups[Number(n)] ?? '');
