import type { Locale } from '../platform/preferences';
import { en, type Messages } from './en';
import { zhCN } from './zh_cn';

export type { Messages };

const LANGUAGES: Record<Locale, Messages> = { en, 'zh-CN': zhCN };

export function messagesFor(locale: Locale): Messages {
  return LANGUAGES[locale];
}
