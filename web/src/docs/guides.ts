/** The pages of docs/ that the API page shows, and their addresses in it. */
import type { Locale } from '../platform/preferences';

export interface Guide {
  /** Path below docs/, without the language and the extension. */
  name: string;
  title: Readonly<Record<Locale, string>>;
}

const guide = (name: string, en: string, zhCN: string): Guide => ({ name, title: { en, 'zh-CN': zhCN } });

/** Guides with a tab of their own. */
export const PROTOCOL = 'protocol';
export const FIRST_GUIDE = 'guides/call-the-api';

/** All guides, in the order of the list beside them. */
export const GUIDES: readonly Guide[] = [
  guide(FIRST_GUIDE, 'Call the API from a program', '用程序调用'),
  guide(PROTOCOL, 'Socket.IO and REST protocol', 'Socket.IO 与 REST 协议'),
  guide('errors', 'What to do about an error', '出错时怎么办'),
  guide('guides/chat', 'Chat with the agent', '与智能体对话'),
  guide('guides/approvals', 'Approve tool calls', '审批工具调用'),
  guide('tools', 'Tools', '工具'),
  guide('guides/write-a-tool', 'Write a tool', '写一个工具'),
  guide('guides/operate', 'Operate the gateway', '运维'),
  guide('guides/operator-pages', 'Operator pages', '运维页面'),
  guide('guides/audit', 'Audit log, usage and privacy', '审计、用量与隐私'),
  guide('security', 'Security', '安全'),
  guide('reliability', 'Reliability', '可靠性（英文）'),
];

export interface GuidePlace {
  name: string;
  /** A heading of the page. */
  section?: string;
}

/** Returns the anchor of a guide or of one of its headings, such as `guide:protocol:rest`. */
export function guideAnchor({ name, section }: GuidePlace): string {
  return ['guide', name, ...(section ? [section] : [])].join(':');
}

/** Finds the guide that an anchor names; undefined for other anchors. */
export function guideOf(anchor: string): GuidePlace | undefined {
  const [kind, name, section] = anchor.split(':');
  if (kind !== 'guide' || name === undefined || !GUIDES.some(known => known.name === name)) return undefined;
  return { name, section: section || undefined };
}
