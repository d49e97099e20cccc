/** Says why a run was cut short. */
import { pairTexts } from '../../i18n/pair_texts';

export const endReasons = pairTexts({
  en: {
    max_iterations: 'too many rounds with tools',
    output_limit: 'longest answer reached',
    model_cut: 'broken off by the model server',
    content_filter: 'cut by the content filter',
    budget: 'budget used up',
    timeout: 'out of time',
  },
  'zh-CN': {
    max_iterations: '工具轮次过多',
    output_limit: '达到回答长度上限',
    model_cut: '被模型服务器中断',
    content_filter: '被内容过滤截断',
    budget: '预算用尽',
    timeout: '超时',
  },
});
