/** Texts of the API page itself. The texts of the document come with it, in the language that the page asks for. */
import type { Locale } from '../platform/preferences';
import type { CurlExample } from './curl_example';
import type { Limit } from './schema_rows';

export interface DocsTexts {
  title: string;
  lead: string;
  version: (version: string) => string;
  toChat: string;
  toDocument: string;
  contents: string;
  guides: string;
  skip: string;
  groups: Readonly<Record<string, string>>;
  parameters: string;
  places: Readonly<Record<'path' | 'query' | 'header', string>>;
  body: string;
  answers: string;
  example: string;
  examples: Readonly<Record<CurlExample['kind'], string>>;
  copyCommand: string;
  name: string;
  type: string;
  meaning: string;
  required: string;
  optional: string;
  defaultsTo: (value: string) => string;
  characters: (range: string) => string;
  items: (range: string) => string;
  atLeast: (count: string) => string;
  atMost: (count: string) => string;
  between: (from: string, to: string) => string;
  notBlank: string;
  matches: (pattern: string) => string;
  orStream: string;
  linkTo: (summary: string) => string;
  errors: string;
  errorsLead: string;
  code: string;
  status: string;
  tryAgain: string;
  yes: string;
  no: string;
  loading: string;
  failed: string;
  retry: string;
}

const en: DocsTexts = {
  title: 'API',
  lead: 'Everything a program can ask of this gateway over HTTP. The commands run as they are against this very gateway.',
  version: version => `Version ${version}`,
  toChat: 'Chat',
  toDocument: 'OpenAPI document',
  contents: 'Contents',
  guides: 'Guides',
  skip: 'Skip to the operations',
  groups: { runs: 'Runs', questions: 'Questions', sessions: 'Sessions', agents: 'Agents', tools: 'Tools', ops: 'Operation' },
  parameters: 'Parameters',
  places: { path: 'path', query: 'query', header: 'header' },
  body: 'Body (JSON)',
  answers: 'Answers',
  example: 'Example',
  examples: { result: 'Wait for the result', events: 'Watch the events', at_once: 'Do not wait' },
  copyCommand: 'Copy the command',
  name: 'Name',
  type: 'Type',
  meaning: 'Meaning',
  required: 'required',
  optional: 'may be absent',
  defaultsTo: value => `default ${value}`,
  characters: range => `${range} characters`,
  items: range => `${range} items`,
  atLeast: count => `at least ${count}`,
  atMost: count => `at most ${count}`,
  between: (from, to) => `${from} to ${to}`,
  notBlank: 'not blank',
  matches: pattern => `matches ${pattern}`,
  orStream: 'or an event stream',
  linkTo: summary => `Link to: ${summary}`,
  errors: 'Errors',
  errorsLead:
    'Every error has this form, on every route. Decide by the code; the message is for people. Fields that the document does not name are refused with 400.',
  code: 'Code',
  status: 'Status',
  tryAgain: 'Try again?',
  yes: 'yes',
  no: 'no',
  loading: 'Loading…',
  failed: 'The document could not be loaded.',
  retry: 'Try again',
};

const zhCN: DocsTexts = {
  title: '接口',
  lead: '程序可以通过 HTTP 向这个网关请求的一切。下面的命令可以原样对这个网关运行。',
  version: version => `版本 ${version}`,
  toChat: '对话',
  toDocument: 'OpenAPI 文档',
  contents: '目录',
  guides: '指南',
  skip: '跳到接口列表',
  groups: { runs: '运行', questions: '提问', sessions: '会话', agents: '智能体', tools: '工具', ops: '运维' },
  parameters: '参数',
  places: { path: '路径', query: '查询', header: '请求头' },
  body: '请求体（JSON）',
  answers: '响应',
  example: '示例',
  examples: { result: '等待结果', events: '观看事件', at_once: '不等待' },
  copyCommand: '复制命令',
  name: '名称',
  type: '类型',
  meaning: '含义',
  required: '必填',
  optional: '可能没有',
  defaultsTo: value => `默认 ${value}`,
  characters: range => `${range} 个字符`,
  items: range => `${range} 项`,
  atLeast: count => `至少 ${count}`,
  atMost: count => `至多 ${count}`,
  between: (from, to) => `${from} 到 ${to}`,
  notBlank: '不能为空白',
  matches: pattern => `匹配 ${pattern}`,
  orStream: '或事件流',
  linkTo: summary => `链接到：${summary}`,
  errors: '错误',
  errorsLead: '所有接口的错误都是这个形式。请按 code 判断；message 是给人看的。文档里没有的字段会以 400 拒绝。',
  code: '错误码',
  status: '状态码',
  tryAgain: '可重试？',
  yes: '是',
  no: '否',
  loading: '加载中…',
  failed: '无法加载接口文档。',
  retry: '重试',
};

export function docsTexts(locale: Locale): DocsTexts {
  return locale === 'zh-CN' ? zhCN : en;
}

/** A rule in words. */
export function limitText(limit: Limit, texts: DocsTexts): string {
  switch (limit.kind) {
    case 'notBlank':
      return texts.notBlank;
    case 'pattern':
      return texts.matches(limit.pattern);
    case 'characters':
      return texts.characters(rangeText(limit, texts));
    case 'items':
      return texts.items(rangeText(limit, texts));
    case 'number':
      return rangeText(limit, texts);
  }
}

function rangeText({ from, to }: { from?: number; to?: number }, texts: DocsTexts): string {
  const format = (count: number) => count.toLocaleString('en');
  if (from === undefined) return texts.atMost(format(to ?? 0));
  return to === undefined ? texts.atLeast(format(from)) : texts.between(format(from), format(to));
}
