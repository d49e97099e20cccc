/** Texts of the frame around the API document and the guides. */
import { useLocale } from '../i18n/language_context';
import type { Locale } from '../platform/preferences';

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
  },
};

export function useDocsTexts(): DocsTexts {
  return TEXTS[useLocale()];
}
