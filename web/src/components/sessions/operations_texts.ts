/** Texts of the way from the chat page to the operator pages. */
import { pairTexts } from '../../i18n/pair_texts';

export const operationsTexts = pairTexts({
  en: {
    operations: 'Operations',
    degraded: (count: number) => (count === 1 ? '1 thing needs attention' : `${count} things need attention`),
  },
  'zh-CN': {
    operations: '运维',
    degraded: count => `有 ${count} 项需要处理`,
  },
});
