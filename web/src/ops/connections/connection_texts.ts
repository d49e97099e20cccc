/** Texts of the list of connections. */
import { pairTexts } from '../../i18n/pair_texts';

export const connectionTexts = pairTexts({
  en: {
    connections: 'Connections',
    none: 'Nobody is connected.',
    noMatch: 'No connection matches the filters.',
    client: 'Client',
    key: 'Key',
    tenant: 'Tenant',
    transport: 'Transport',
    node: 'Gateway',
    since: 'Since',
    sessions: 'Sessions followed',
    buffered: 'Waits to be sent',
  },
  'zh-CN': {
    connections: '连接',
    none: '没有连接。',
    noMatch: '没有符合筛选条件的连接。',
    client: '客户端',
    key: '密钥',
    tenant: '租户',
    transport: '传输方式',
    node: '网关',
    since: '连接时间',
    sessions: '关注的会话',
    buffered: '等待发送',
  },
});

export type ConnectionTexts = (typeof connectionTexts)['en'];
