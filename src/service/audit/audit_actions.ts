/** The actions of the audit log in words, for people. */
import type { AuditAction } from '../../port/store/audit';
import type { Bilingual } from '../../utils/bilingual';

const says = (en: string, zh: string): Bilingual => ({ en, 'zh-CN': zh });

const AUDIT_ACTIONS: Readonly<Record<AuditAction, Bilingual>> = {
  'question.answer': says('answered a question', '回答了问题'),
  'approval.allow': says('allowed a tool call', '批准了工具调用'),
  'approval.deny': says('denied a tool call', '拒绝了工具调用'),
  'run.cancel': says('cancelled a run', '取消了运行'),
  'tool_call.cancel': says('stopped a tool call', '停止了工具调用'),
  'key.create': says('made an API key', '创建了 API 密钥'),
  'key.revoke': says('revoked an API key', '吊销了 API 密钥'),
  'person.invite': says('made an invitation', '创建了邀请'),
  'person.create': says('accepted an invitation', '接受了邀请'),
  'person.update': says('changed an account', '修改了账户'),
  'person.remove': says('removed an account', '删除了账户'),
  'person.password': says('set a new password', '设置了新密码'),
  'person.link': says('linked an account to a login provider', '将账户与登录服务器关联'),
  'login.create': says('logged in', '登录'),
  'login.fail': says('showed a wrong key', '出示了错误的密钥'),
  'login.end': says('logged out', '退出登录'),
  'skill.write': says('wrote a skill', '写入了技能'),
  'skill.patch': says('changed a skill', '修改了技能'),
  'skill.delete': says('deleted a skill', '删除了技能'),
  'skill.enable': says('turned a skill on', '启用了技能'),
  'skill.disable': says('turned a skill off', '停用了技能'),
  'job.create': says('made a job', '创建了定时任务'),
  'job.update': says('changed a job', '修改了定时任务'),
  'job.delete': says('deleted a job', '删除了定时任务'),
  'job.run': says('started a job', '启动了定时任务'),
  'webhook.create': says('made a webhook', '创建了 webhook'),
  'webhook.delete': says('deleted a webhook', '删除了 webhook'),
  'webhook.replay': says('sent a delivery again', '重新发送了投递'),
  'hook.create': says('made a hook', '创建了钩子'),
  'hook.update': says('changed a hook', '修改了钩子'),
  'hook.delete': says('deleted a hook', '删除了钩子'),
  'hook.run': says('started a run at a hook', '通过钩子启动了运行'),
  'mcp.login': says('logged the gateway in at an MCP server', '让网关登录了一个 MCP 服务器'),
  'push.subscribe': says('turned push notifications on for a device', '为设备开启了推送通知'),
  'push.unsubscribe': says('turned push notifications off for a device', '为设备关闭了推送通知'),
  'session.read': says('read texts of people of this tenant', '读取了本租户中人的文本'),
  'session.delete': says('deleted a session', '删除了会话'),
  'session.export': says('exported a session', '导出了会话'),
  'share.create': says('made a link to a chat', '创建了对话的链接'),
  'share.revoke': says('revoked a link to a chat', '撤销了对话的链接'),
  'suite.add': says('added a run to a suite', '把运行加入了测试集'),
  'suite.remove': says('removed a case of a suite', '移除了测试集的用例'),
  'suite.delete': says('deleted a suite', '删除了测试集'),
  'suite.run': says('ran a suite', '执行了测试集'),
  'response.delete': says('deleted a response', '删除了响应'),
  'message.delete': says('deleted a message of a session', '删除了会话中的一条消息'),
  'memory.delete': says('deleted a memory', '删除了记忆'),
  'memory.export': says('exported memories', '导出了记忆'),
  'file.delete': says('deleted a file', '删除了文件'),
  'data.export': says('exported all data of the tenant', '导出了租户的全部数据'),
  'config.reload': says('took over a changed file', '采用了改动后的文件'),
  'config.refuse': says('refused a changed file', '拒绝了改动后的文件'),
  'config.write': says('changed a file', '修改了文件'),
  'limit.raise': says('raised a limit of the day', '提高了当天的上限'),
  'socket.disconnect': says('ended a connection', '断开了连接'),
  'tool.enable': says('switched a tool on', '启用了工具'),
  'tool.disable': says('switched a tool off', '停用了工具'),
  'runs.accept': says('accepted new runs again', '恢复接受新的运行'),
  'runs.refuse': says('paused new runs', '暂停了新的运行'),
  'audit.prune': says('deleted old rows of the audit log', '删除了审计日志的旧记录'),
};

/** The words of an action; an unknown one, of a later version, stays as it is. */
export function wordsOf(action: string): { actionText: string; actionTextZh: string } {
  const words: Bilingual | undefined = AUDIT_ACTIONS[action as AuditAction];
  return { actionText: words?.en ?? action, actionTextZh: words?.['zh-CN'] ?? action };
}
