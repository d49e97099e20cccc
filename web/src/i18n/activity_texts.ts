/** Texts of the line that stands for quiet tool calls. */
import { pairTexts } from './pair_texts';

const many = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`;
const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

export const activityTexts = pairTexts({
  en: {
    /** What calls of one kind did, by their number. */
    activity: {
      read: (count: number) => `read ${many(count, 'file')}`,
      list: (count: number) => `listed ${many(count, 'folder')}`,
      search: (count: number) => `searched ${times(count)}`,
      command: (count: number) => `ran ${many(count, 'command')}`,
      page: (count: number) => `opened ${many(count, 'web page')}`,
      web: (count: number) => `searched the web ${times(count)}`,
      recall: (count: number) => `looked into memory ${times(count)}`,
      skill: (count: number) => `read ${many(count, 'skill')}`,
      other: (count: number) => `used ${many(count, 'other tool')}`,
    },
    activityNamed: (label: string, count: number) => (count === 1 ? `used “${label}”` : `used “${label}” ${times(count)}`),
    activityMisses: (count: number) => `${count} found nothing`,
    activityRunning: (count: number) => `${count} running`,
    activitySteps: (count: number) => `step ${count}`,
    listSeparator: ', ',
  },
  'zh-CN': {
    activity: {
      read: count => `读取 ${count} 个文件`,
      list: count => `列出 ${count} 个目录`,
      search: count => `搜索 ${count} 次`,
      command: count => `运行 ${count} 条命令`,
      page: count => `打开 ${count} 个网页`,
      web: count => `搜索网页 ${count} 次`,
      recall: count => `查阅记忆 ${count} 次`,
      skill: count => `读取 ${count} 个技能`,
      other: count => `使用 ${count} 个其他工具`,
    },
    activityNamed: (label, count) => (count === 1 ? `使用“${label}”` : `使用“${label}”${count} 次`),
    activityMisses: count => `${count} 次没有结果`,
    activityRunning: count => `${count} 个正在运行`,
    activitySteps: count => `第 ${count} 步`,
    listSeparator: '，',
  },
});
