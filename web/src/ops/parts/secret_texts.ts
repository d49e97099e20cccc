/** Texts of the panel that shows a secret once. */
import { pairTexts } from '../../i18n/pair_texts';

export const secretTexts = pairTexts({
  en: {
    secretTitle: (name: string) => `The secret of ${name}`,
    secretNote: 'It is shown only this once. Copy it now.',
    copySecret: 'Copy the secret',
    hideSecret: 'I have copied it',
  },
  'zh-CN': {
    secretTitle: name => `${name} 的密钥内容`,
    secretNote: '只显示这一次，请立即复制。',
    copySecret: '复制密钥',
    hideSecret: '我已复制',
  },
});
