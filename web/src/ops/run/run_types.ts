import type { Answer } from '../../api/schema_types';
import type { Locale } from '../../platform/preferences';

export type RunDetail = Answer<'OpsRunDetail'>;
export type RunFacts = RunDetail['run'];
export type LiveRunRow = NonNullable<RunDetail['live']>;
export type WaterfallRow = RunDetail['waterfall'][number];

/** The code of an error and its sentence. */
export function errorIn(locale: Locale, { code, message, messageZh }: { code?: string; message?: string; messageZh?: string }): string {
  return [code, locale === 'zh-CN' ? (messageZh ?? message) : message].filter(Boolean).join(': ');
}
