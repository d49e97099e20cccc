/** Settings for how many days the gateway keeps stored data. */
import { integer } from './setting_types';

const MAX_DAYS = 36_500;

const days = (usual: number, en: string, zh: string) =>
  integer(
    { minimum: 0, maximum: MAX_DAYS, default: usual },
    { section: 'retention', en: `days to keep ${en}; 0: for ever`, zh: `${zh}的保留天数；0 表示永久` },
  );

export const RETENTION = {
  NETA_KEEP_SESSIONS_DAYS: days(
    0,
    'sessions of people and jobs since they were last used, with their messages, runs, tool calls, results and images',
    '用户和定时任务的会话（从最后使用起，含消息、运行、工具调用、结果和图片）',
  ),
  NETA_KEEP_TEMPORARY_DAYS: days(1, 'temporary chats that were not deleted when their page was left', '离开页面时未被删除的临时对话'),
  NETA_KEEP_OPENAI_DAYS: days(
    7,
    'sessions of OpenAI clients that send the whole conversation with each request',
    '每次请求都发送完整对话的 OpenAI 客户端的会话',
  ),
  NETA_KEEP_RESPONSES_DAYS: days(0, 'responses of `/v1/responses` and their sessions', '`/v1/responses` 的响应及其会话'),
  NETA_KEEP_EVENTS_DAYS: days(
    1,
    'events of ended runs beyond the newest 10,000 of each session',
    '已结束运行的事件（每个会话最新的 10,000 个除外）',
  ),
  NETA_KEEP_DIRECT_CALLS_DAYS: days(90, 'tool calls and file changes that belong to no session', '不属于任何会话的工具调用和文件改动'),
  NETA_KEEP_DELIVERIES_DAYS: days(30, 'deliveries of webhooks', 'webhook 的发送记录'),
  NETA_KEEP_AUDIT_DAYS: days(0, 'rows of the [audit log](docs/guides/audit.md)', '[审计日志](docs/guides/audit.zh-CN.md)的记录'),
  NETA_KEEP_USAGE_DAYS: days(0, 'usage sums, which hold no text', '用量汇总（不含文本）'),
};
