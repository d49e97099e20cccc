/** Texts of the view of a whole result. */
import { pairTexts } from '../../i18n/pair_texts';

export const wholeResultTexts = pairTexts({
  en: {
    title: 'Whole result',
    search: 'Search in the whole result',
    place: (from: string, to: string, all: string) => `Characters ${from} to ${to} of ${all}`,
    before: 'Previous page',
    next: 'Next page',
    match: (number: string, count: string) => `${number} of ${count}`,
    noMatch: 'No match',
    matchBefore: 'Previous match',
    matchNext: 'Next match',
    download: 'Download the result',
    incomplete: 'The rest of this result is no longer stored.',
  },
  'zh-CN': {
    title: '完整结果',
    search: '在完整结果中搜索',
    place: (from, to, all) => `第 ${from}～${to} 个字符，共 ${all} 个`,
    before: '上一页',
    next: '下一页',
    match: (number, count) => `第 ${number} 处，共 ${count} 处`,
    noMatch: '没有匹配',
    matchBefore: '上一处',
    matchNext: '下一处',
    download: '下载结果',
    incomplete: '此结果的其余部分已不再保存。',
  },
});
