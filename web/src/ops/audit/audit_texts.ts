/** Texts of the audit log. */
import { pairTexts } from '../../i18n/pair_texts';

export const auditTexts = pairTexts({
  en: {
    entries: 'Entries',
    when: 'When',
    who: 'Who',
    action: 'Action',
    target: 'Target',
    details: 'Details',
    hash: 'Hash',
    from: 'From',
    to: 'To',
    none: 'Nothing was recorded yet.',
    noMatch: 'No entry matches the filters.',
    chainOk: 'The chain of hashes is whole.',
    chainBroken: 'The chain of hashes is broken: an entry was changed or removed.',
    chainUnknown: 'The chain was not checked.',
    download: 'Download as JSON',
  },
  'zh-CN': {
    entries: '记录',
    when: '时间',
    who: '操作者',
    action: '操作',
    target: '对象',
    details: '详情',
    hash: '哈希',
    from: '从',
    to: '到',
    none: '还没有记录。',
    noMatch: '没有符合筛选条件的记录。',
    chainOk: '哈希链完整。',
    chainBroken: '哈希链已断：有记录被更改或删除。',
    chainUnknown: '没有检查哈希链。',
    download: '下载 JSON 文件',
  },
});
