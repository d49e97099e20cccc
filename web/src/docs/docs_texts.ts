/** Texts of the frame around the API document and the guides. */
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';
import type { Parameter } from './api_document';

interface DocsTexts {
  title: string;
  api: string;
  protocol: string;
  guides: string;
  toChat: string;
  skip: string;
  loading: string;
  failed: string;
  retry: string;
  apiTitle: string;
  search: string;
  key: string;
  keyHint: string;
  groups: string;
  schemas: string;
  noOperations: string;
  scope: (scope: string) => string;
  parameters: string;
  places: Readonly<Record<Parameter['in'], string>>;
  required: string;
  body: string;
  answers: string;
  fieldsOf: (name: string) => string;
  request: string;
  copyCode: string;
  send: string;
  stop: string;
  missing: string;
}

const TEXTS: Readonly<Record<Locale, DocsTexts>> = {
  en: {
    title: 'API',
    api: 'API',
    protocol: 'Socket.IO',
    guides: 'Guides',
    toChat: 'Open the chat',
    skip: 'Skip to the content',
    loading: 'Loading…',
    failed: 'This page could not be loaded.',
    retry: 'Try again',
    apiTitle: 'REST API',
    search: 'Search operations and guides',
    key: 'API key for “Send”',
    keyHint: 'Empty: your login',
    groups: 'Groups of operations',
    schemas: 'Schemas',
    noOperations: 'No operation has all these words.',
    scope: scope => `scope: ${scope}`,
    parameters: 'Parameters',
    places: { path: 'path', query: 'query', header: 'header' },
    required: 'required',
    body: 'Body',
    answers: 'Answers',
    fieldsOf: name => `Fields of ${name}`,
    request: 'Try it',
    copyCode: 'Copy the code',
    send: 'Send',
    stop: 'Stop',
    missing: 'Fill in the parameters of the path first.',
  },
  'zh-CN': {
    title: '接口',
    api: '接口',
    protocol: 'Socket.IO',
    guides: '指南',
    toChat: '打开对话',
    skip: '跳到正文',
    loading: '加载中…',
    failed: '无法加载此页。',
    retry: '重试',
    apiTitle: 'REST 接口',
    search: '搜索接口与指南',
    key: '“发送”所用的 API 密钥',
    keyHint: '留空：使用当前登录',
    groups: '接口分组',
    schemas: '数据结构',
    noOperations: '没有接口包含所有这些词。',
    scope: scope => `权限：${scope}`,
    parameters: '参数',
    places: { path: '路径', query: '查询', header: '请求头' },
    required: '必填',
    body: '请求体',
    answers: '响应',
    fieldsOf: name => `${name} 的字段`,
    request: '试一试',
    copyCode: '复制代码',
    send: '发送',
    stop: '停止',
    missing: '请先填写路径参数。',
  },
};

export function useDocsTexts(): DocsTexts {
  return TEXTS[useLocale()];
}
