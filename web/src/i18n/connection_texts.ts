/** Texts of loading, the connection and failed requests. */
import { pairTexts } from './pair_texts';

export const connectionTexts = pairTexts({
  en: {
    connecting: 'Connecting…',
    offline: 'You are offline. The agent keeps working, and this page catches up once you are connected. What you send waits until then.',
    gatewayAway: 'The gateway does not answer. What you send waits here and goes out as soon as it is back.',
    reconnectNow: 'Try now',
    backOnline: 'Connected again.',
    loading: 'Loading…',
    sessionMissing: 'This chat was not found. It may have been deleted, or it is not shared with you.',
    sessionClosed: 'This chat is no longer shared with you.',
    startNewChat: 'Start a new chat',
    sessionFailed: 'This chat could not be loaded. The page tries again as soon as the gateway answers.',
    requestFailed: 'That did not work. Try again.',
    close: 'Close',
  },
  'zh-CN': {
    connecting: '正在连接…',
    offline: '你已离线。智能体仍在工作，重新连接后页面会自动补上进度；你发送的消息会等到那时再发出。',
    gatewayAway: '网关没有响应。你发送的消息会保留在这里，网关恢复后自动发出。',
    reconnectNow: '立即重试',
    backOnline: '已重新连接。',
    loading: '加载中…',
    sessionMissing: '没有找到这个对话。它可能已被删除，或未与你共享。',
    sessionClosed: '这个对话不再与你共享。',
    startNewChat: '开始新对话',
    sessionFailed: '无法加载这个对话。网关恢复后页面会自动重试。',
    requestFailed: '操作没有成功，请再试一次。',
    close: '关闭',
  },
});
