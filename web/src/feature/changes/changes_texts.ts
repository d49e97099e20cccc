/** Texts of the list of file changes. */
import { pairTexts } from '../../i18n/pair_texts';

export const changesTexts = pairTexts({
  en: {
    title: 'Changes of files in this chat',
    count: (count: number) => (count === 1 ? '1 change, newest first' : `${count} changes, newest first`),
    none: 'This chat has changed no file.',
    failed: 'The changes could not be read.',
    noDiff: 'No comparison is stored for this change.',
    close: 'Close the changes',
    copied: 'from a copied turn',
    byMember: (name: string) => `by ${name}`,
  },
  'zh-CN': {
    title: '本对话的文件改动',
    count: count => `${count} 处改动，最新的在前`,
    none: '本对话没有改动文件。',
    failed: '无法读取改动。',
    noDiff: '这次改动没有保存对比。',
    close: '关闭改动列表',
    copied: '来自复制的轮次',
    byMember: name => `由 ${name} 作出`,
  },
});
