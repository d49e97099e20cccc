/** The pages of docs/ that the API page shows, and their addresses in it. */
import type { Locale } from '../platform/preferences';

export interface Guide {
  /** Path below docs/, without the language and the extension. */
  name: string;
  title: Readonly<Record<Locale, string>>;
}

interface GuideGroup {
  title: Readonly<Record<Locale, string>>;
  guides: readonly Guide[];
}

const guide = (name: string, en: string, zhCN: string): Guide => ({ name, title: { en, 'zh-CN': zhCN } });
const group = (en: string, zhCN: string, guides: readonly Guide[]): GuideGroup => ({ title: { en, 'zh-CN': zhCN }, guides });

/** Guides with a tab of their own. */
export const PROTOCOL = 'protocol';
export const FIRST_GUIDE = 'guides/call-the-api';

/** All guides, in the order of the list beside them. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  group('Programs', '程序接入', [
    guide(FIRST_GUIDE, 'Call the API from a program', '用程序调用'),
    guide(PROTOCOL, 'Socket.IO and REST protocol', 'Socket.IO 与 REST 协议'),
    guide('errors', 'What to do about an error', '出错时怎么办'),
    guide('guides/openai-clients', 'Clients of OpenAI', 'OpenAI 客户端'),
    guide('guides/openai-responses', 'The Responses API', 'Responses API'),
    guide('guides/anthropic-messages', 'Clients of Anthropic', 'Anthropic 客户端'),
    guide('guides/ag-ui', 'AG-UI clients', 'AG-UI 客户端'),
    guide('guides/acp', 'Editors: ACP', '编辑器：ACP'),
    guide('guides/durable-streams', 'Durable Streams clients', 'Durable Streams 客户端'),
    guide('guides/mcp-server', 'The gateway as an MCP server', '把网关当作 MCP 服务器'),
    guide('guides/embed', 'Embed the chat in other pages', '在其他页面中嵌入对话'),
    guide('guides/a2a', 'A2A', 'A2A'),
    guide('guides/webhooks', 'Webhooks', 'Webhook'),
    guide('guides/hooks', 'Inbound webhooks', '入站 webhook'),
    guide('guides/command-line', 'The command line', '命令行'),
  ]),
  group('People and agents', '人与智能体', [
    guide('guides/chat', 'Chat with the agent', '与智能体对话'),
    guide('guides/approvals', 'Approve tool calls', '审批工具调用'),
    guide('guides/search', 'Search earlier chats', '搜索以往对话'),
    guide('guides/replay', 'Replay and suites', '重放与测试集'),
    guide('guides/memory', 'Memory', '记忆'),
    guide('guides/skills', 'Skills', '技能'),
    guide('guides/jobs', 'Jobs', '定时任务'),
    guide('guides/crew', 'Crew: an agent that delegates', '团队：会委派任务的智能体'),
    guide('guides/long-conversations', 'Long conversations', '长对话'),
  ]),
  group('Tools and models', '工具与模型', [
    guide('tools', 'Tools', '工具'),
    guide('guides/tools', 'Which tools an agent gets', '智能体得到哪些工具'),
    guide('guides/write-a-tool', 'Write a tool', '写一个工具'),
    guide('guides/manifests', 'Manifests: programs as tools', '工具清单：把程序当作工具'),
    guide('guides/mcp', 'MCP: tools of other programs', 'MCP：使用其他程序的工具'),
    guide('guides/models', 'Models', '模型'),
    guide('patch', 'The patch engine', '补丁引擎（英文）'),
  ]),
  group('Operators', '运维', [
    guide('guides/install', 'Install', '安装'),
    guide('guides/operate', 'Operate the gateway', '运维'),
    guide('guides/containers', 'Containers', '容器'),
    guide('guides/update', 'Update and roll back', '更新与回滚'),
    guide('guides/backup', 'Back up, restore, move', '备份、恢复与迁移'),
    guide('guides/operator-pages', 'Operator pages', '运维页面'),
    guide('guides/keys', 'API keys and logins', 'API 密钥与登录'),
    guide('guides/people', 'People and roles', '人员与角色'),
    guide('guides/tenants', 'Tenants', '租户'),
    guide('guides/limits', 'Limits, budgets and cost', '限额、预算与费用'),
    guide('guides/audit', 'Audit log, usage and privacy', '审计、用量与隐私'),
    guide('guides/metrics', 'Metrics', '指标'),
    guide('guides/traces-and-logs', 'Traces and logs', '链路追踪与日志'),
    guide('guides/postgres', 'The store over Postgres', '使用 Postgres 存储'),
    guide('scale', 'Scale', '规模'),
    guide('security', 'Security', '安全'),
    guide('reliability', 'Reliability', '可靠性（英文）'),
    guide('performance', 'Performance', '性能（英文）'),
    guide('tuning', 'Tuning', '调优（英文）'),
    guide('guides/release', 'Release', '发布'),
  ]),
];

export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

export interface GuidePlace {
  name: string;
  /** A heading of the page. */
  section?: string;
}

/** Returns the anchor of a guide or of one of its headings, such as `guide:protocol:rest`. */
export function guideAnchor({ name, section }: GuidePlace): string {
  return ['guide', name, section].filter(Boolean).join(':');
}

/** Finds the guide that an anchor names; undefined for other anchors. */
export function guideOf(anchor: string): GuidePlace | undefined {
  const [kind, name, section] = anchor.split(':');
  if (kind !== 'guide' || name === undefined || !GUIDES.some(known => known.name === name)) return undefined;
  return { name, section: section || undefined };
}

/** Returns the anchor that GitHub gives a heading, so that links work in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
