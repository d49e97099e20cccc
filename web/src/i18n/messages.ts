import type { Locale } from '../platform/preferences';
import { activityTexts } from './activity_texts';
import { approvalTexts } from './approval_texts';
import { branchTexts } from './branch_texts';
import { composerTexts } from './composer_texts';
import { connectionTexts } from './connection_texts';
import { questionTexts } from './question_texts';
import { sessionTexts } from './session_texts';
import { toolTexts } from './tool_texts';
import { topBarTexts } from './top_bar_texts';
import { turnTexts } from './turn_texts';
import { viewTexts } from './view_texts';

export type Messages = ReturnType<typeof textsIn>;

const LANGUAGES: Readonly<Record<Locale, Messages>> = { en: textsIn('en'), 'zh-CN': textsIn('zh-CN') };

export function messagesFor(locale: Locale): Messages {
  return LANGUAGES[locale];
}

/** A text has one name across all screens; a test compares. */
function textsIn(locale: Locale) {
  return {
    ...sessionTexts[locale],
    ...topBarTexts[locale],
    ...composerTexts[locale],
    ...turnTexts[locale],
    ...branchTexts[locale],
    ...toolTexts[locale],
    ...activityTexts[locale],
    ...questionTexts[locale],
    ...approvalTexts[locale],
    ...connectionTexts[locale],
    ...viewTexts[locale],
  };
}
