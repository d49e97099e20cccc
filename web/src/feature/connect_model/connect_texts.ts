/** Texts of the card that connects a model. */
import { pairTexts } from '../../i18n/pair_texts';

export const connectTexts = pairTexts({
  en: {
    title: 'Connect a model',
    about: 'The key stays on the machine of the gateway, in a file that only the gateway can read.',
    provider: 'Provider',
    other: 'Another server',
    running: (label: string, count: number) => `${label}: runs here, ${count === 1 ? '1 model' : `${count} models`}`,
    address: 'Address',
    addressHint: 'The base of an OpenAI-compatible API, usually ending with /v1.',
    key: 'API key',
    keyPage: 'Get a key',
    keyOptional: 'Leave it empty when the server needs none.',
    model: 'Model',
    modelHint: (count: number) =>
      count === 0 ? 'This server has no list. Enter the name of the model.' : `${count} models. Type to search.`,
    check: 'Check',
    checking: 'Checking…',
    connect: 'Connect',
    connecting: 'Asking the model…',
    failed: 'The gateway could not be reached. Try again.',
  },
  'zh-CN': {
    title: '连接模型',
    about: '密钥保存在网关所在的机器上，只有网关能读取该文件。',
    provider: '提供方',
    other: '其他服务器',
    running: (label, count) => `${label}：正在本机运行，${count} 个模型`,
    address: '地址',
    addressHint: '兼容 OpenAI 的 API 基础地址，通常以 /v1 结尾。',
    key: 'API 密钥',
    keyPage: '获取密钥',
    keyOptional: '服务器不需要密钥时留空。',
    model: '模型',
    modelHint: count => (count === 0 ? '此服务器没有模型列表，请输入模型名称。' : `共 ${count} 个模型，输入文字可查找。`),
    check: '检查',
    checking: '正在检查…',
    connect: '连接',
    connecting: '正在询问模型…',
    failed: '无法连接网关，请重试。',
  },
});
