/** Texts of the MCP servers. */
import { pairTexts } from '../../i18n/pair_texts';

export const mcpTexts = pairTexts({
  en: {
    servers: 'MCP servers',
    moreServers: 'Show more',
    serverState: { connected: 'Connected', connecting: 'Connecting…', failed: 'Not connected', disabled: 'Turned off' },
    toolCount: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
    nextTry: (pause: string) => `next try in ${pause}`,
    reconnect: 'Reconnect',
    server: 'Server',
    noServers: 'There are no MCP servers. The file mcp.yaml names them.',
    tools: 'Tools',
    transport: 'Transport',
    reconnectOf: (name: string) => `Reconnect ${name}`,
    reconnected: (name: string) => `${name} was connected again.`,
    state: 'State',
  },
  'zh-CN': {
    servers: 'MCP 服务器',
    moreServers: '显示更多',
    serverState: { connected: '已连接', connecting: '正在连接…', failed: '未连接', disabled: '已停用' },
    toolCount: count => `${count} 个工具`,
    nextTry: pause => `${pause} 后重试`,
    reconnect: '重新连接',
    server: '服务器',
    noServers: '没有 MCP 服务器。可在 mcp.yaml 中添加。',
    tools: '工具数',
    transport: '传输方式',
    reconnectOf: name => `重新连接 ${name}`,
    reconnected: name => `${name} 已重新连接。`,
    state: '状态',
  },
});
