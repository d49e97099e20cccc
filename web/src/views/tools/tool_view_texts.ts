/** Texts of the tools view. */
import { pairTexts } from '../../i18n/pair_texts';

export const toolViewTexts = pairTexts({
  en: {
    searchTools: 'Search the tools',
    countedSince: 'Calls are counted since the gateway started:',
    noTools: 'There are no tools.',
    found: (count: number) => (count === 0 ? 'No tool matches.' : count === 1 ? '1 tool matches.' : `${count} tools match.`),
    origin: { builtin: 'Built in', code: 'From code', mcp: 'MCP server', manifest: 'From a manifest' },
    effect: { read: 'only reads', idempotent: 'changes, safe to repeat', write: 'changes things', external: 'acts outside' },
    enabled: 'Ready',
    disabled: 'Cannot run',
    calls: (count: number) => (count === 1 ? '1 call' : `${count} calls`),
    errors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
    noDescription: 'It has no description.',
    aside: (model: string) => `The model ${model} is not offered this tool.`,
  },
  'zh-CN': {
    searchTools: '搜索工具',
    countedSince: '调用次数从网关启动时起统计：',
    noTools: '没有工具。',
    found: count => (count === 0 ? '没有匹配的工具。' : `找到 ${count} 个工具。`),
    origin: { builtin: '内置', code: '来自代码', mcp: 'MCP 服务器', manifest: '来自清单' },
    effect: { read: '只读', idempotent: '会修改，可安全重复', write: '会修改', external: '影响外部' },
    enabled: '可用',
    disabled: '不能运行',
    calls: count => `调用 ${count} 次`,
    errors: count => `出错 ${count} 次`,
    noDescription: '没有说明。',
    aside: model => `不向模型 ${model} 提供此工具。`,
  },
});
