/** Texts of tool cards and the plan. */
import { pairTexts } from './pair_texts';

/** Short labels by tool name. */
type ToolLabels = Readonly<Record<string, string>>;

export const toolTexts = pairTexts({
  en: {
    toolState: {
      running: 'Running',
      ok: 'Done',
      failed: 'Failed',
      stopped: 'Stopped',
      denied: 'Not allowed',
      unknown: 'Outcome unknown',
      ended: 'Done',
    },
    toolLabels: {
      bash: 'Run a command',
      read_file: 'Read a file',
      write_file: 'Write a file',
      list_dir: 'List a folder',
      patch: 'Change a file',
      todo: 'Update the plan',
      clarify: 'Ask you',
    } as ToolLabels,
    arguments: 'Arguments',
    output: 'Output so far',
    result: 'Result',
    changes: 'Changes',
    strategy: (name: string) => (name === 'exact' ? 'exact match' : `match: ${name.replaceAll('_', ' ')}`),
    cached: 'from cache',
    duplicate: 'repeated call',
    exitCode: (code: number) => `exit code ${code}`,
    noOutput: 'No output yet.',
    undo: 'Undo',
    undone: 'Undone',
    undoneNote: 'Undone: the file is as it was before. The agent will read it again before its next edit.',
    undoRefused: {
      changed: 'Cannot be undone: the file was changed again later. Undo the later changes first.',
      gone: 'Cannot be undone: the earlier content is no longer stored.',
    },
    plan: 'Plan',
    planProgress: (done: number, total: number) => `${done} of ${total} done`,
    todoStatus: { pending: 'To do', in_progress: 'In progress', completed: 'Done', cancelled: 'Dropped' },
  },
  'zh-CN': {
    toolState: { running: '运行中', ok: '完成', failed: '失败', stopped: '已停止', denied: '未获同意', unknown: '结果未知', ended: '完成' },
    toolLabels: {
      bash: '运行命令',
      read_file: '读取文件',
      write_file: '写入文件',
      list_dir: '列出目录',
      patch: '修改文件',
      todo: '更新计划',
      clarify: '向你提问',
    },
    arguments: '参数',
    output: '当前输出',
    result: '结果',
    changes: '改动',
    strategy: name => (name === 'exact' ? '精确匹配' : `匹配方式：${name}`),
    cached: '来自缓存',
    duplicate: '重复调用',
    exitCode: code => `退出码 ${code}`,
    noOutput: '暂无输出。',
    undo: '撤销',
    undone: '已撤销',
    undoneNote: '已撤销：文件已恢复到修改之前。智能体下次修改前会重新读取它。',
    undoRefused: {
      changed: '无法撤销：此后文件又被改动。请先撤销之后的改动。',
      gone: '无法撤销：之前的内容已不再保存。',
    },
    plan: '计划',
    planProgress: (done, total) => `已完成 ${done} / ${total}`,
    todoStatus: { pending: '待办', in_progress: '进行中', completed: '完成', cancelled: '已放弃' },
  },
});
