/** Texts of the command line in both languages. */
import type { Bilingual } from '../utils/bilingual';

export type Language = keyof Bilingual;

export const TEXTS = {
  usage: { en: 'Usage', 'zh-CN': '用法' },
  commands: { en: 'Commands', 'zh-CN': '命令' },
  options: { en: 'Options', 'zh-CN': '选项' },
  everywhere: {
    en: `  --url URL      address of the gateway (NETA_URL; default: HOST and PORT of .env here, else http://127.0.0.1:7001)
  --key KEY      API key (NETA_API_KEY; prefer the variable: other users see arguments)
  --lang LANG    en or zh-CN (default: from LANG)
  --json         JSON for programs, one value a line
  --help         help for a command`,
    'zh-CN': `  --url URL      网关地址（NETA_URL；默认取当前目录 .env 的 HOST 和 PORT，没有时为 http://127.0.0.1:7001）
  --key KEY      API 密钥（NETA_API_KEY；建议用变量，因为参数会被其他用户看到）
  --lang LANG    en 或 zh-CN（默认取自 LANG）
  --json         供程序使用的 JSON，每行一个值
  --help         某个命令的帮助`,
  },
  exitCodes: {
    en: 'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the run ended early or with a question, 4 no gateway answers, 130 cancelled with Ctrl+C.',
    'zh-CN': '退出码：0 完成，1 失败，2 用法错误，3 运行提前结束或以问题结束，4 网关没有响应，130 用 Ctrl+C 取消。',
  },
  unknownCommand: { en: 'There is no such command', 'zh-CN': '没有这个命令' },
  missing: { en: 'Missing argument', 'zh-CN': '缺少参数' },
  unexpected: { en: 'Unexpected argument', 'zh-CN': '多余的参数' },
  seeHelp: { en: 'See', 'zh-CN': '参见' },
  none: { en: 'none', 'zh-CN': '无' },
  yourAnswer: { en: 'Your answer', 'zh-CN': '你的回答' },
  orNumber: { en: 'Your answer, or a number', 'zh-CN': '你的回答，或编号' },
  allow: { en: 'Allow this once? [y/N]', 'zh-CN': '允许这一次吗？[y/N]' },
  needsApproval: { en: 'needs approval', 'zh-CN': '需要批准' },
  answerLater: {
    en: 'The agent asks. Answer with',
    'zh-CN': '智能体在提问。请这样回答：',
  },
  endedEarly: { en: 'The run ended early', 'zh-CN': '运行提前结束' },
  interrupted: { en: 'Not run: the command was interrupted.', 'zh-CN': '未执行：命令被中断。' },
  cancelling: { en: 'cancelling ...', 'zh-CN': '正在取消……' },
  failed: { en: 'failed', 'zh-CN': '失败' },
  answered: { en: 'Answered.', 'zh-CN': '已回答。' },
  decided: { en: 'Decided.', 'zh-CN': '已决定。' },
  saidYes: { en: 'Your yes counts; others must say yes, too', 'zh-CN': '你的同意已计入，还需要其他人同意' },
  asksColleagues: {
    en: 'A rule asks colleagues. The yes of these callers does not count',
    'zh-CN': '规则要求由同事批准，以下调用方的同意不算数',
  },
  cancelled: { en: 'Cancelled.', 'zh-CN': '已取消。' },
  endedBefore: { en: 'The run has ended already', 'zh-CN': '运行已经结束' },
  started: { en: 'Started', 'zh-CN': '已启动' },
  deleted: { en: 'Deleted.', 'zh-CN': '已删除。' },
  revoked: { en: 'Revoked.', 'zh-CN': '已吊销。' },
  changed: { en: 'Changed.', 'zh-CN': '已修改。' },
  shownOnce: { en: 'Keep this secret: it is shown only once.', 'zh-CN': '请保存这个密钥：它只显示一次。' },
  secretLost: {
    en: 'The key exists, but its secret was lost on the way. Revoke it and make another:',
    'zh-CN': '密钥已建立，但密钥内容在传输中丢失。请吊销它再新建：',
  },
  firstKey: {
    en: 'The first key locks the gateway, and only a key with admin in the tenant default makes keys of all tenants. Choose its scopes: --scopes chat+tools+approve+ops:read+ops:write+admin',
    'zh-CN':
      '第一个密钥会锁定网关，之后只有 default 租户中带 admin 的密钥能为所有租户新建密钥。请选择权限：--scopes chat+tools+approve+ops:read+ops:write+admin',
  },
  initExists: { en: 'exists already; nothing was written', 'zh-CN': '已经存在；没有写入任何内容' },
  written: { en: 'Written:', 'zh-CN': '已写入：' },
  rows: { en: 'rows', 'zh-CN': '行' },
  files: { en: 'files', 'zh-CN': '个文件' },
  closedTo: {
    en: 'The service of this gateway may not write there, so its scheduled backups would fail. Add a drop-in file to its unit with',
    'zh-CN': '此网关的服务不能写入该目录，定期备份会失败。请为其单元添加一个 drop-in 文件，内容为',
  },
  incomplete: { en: 'Not as it is now, because it changed or cannot be read', 'zh-CN': '内容不完整（读取时有变化或无法读取）' },
  badTime: {
    en: 'write a number and s, m, h or d, at least 10s, such as 12h; or off',
    'zh-CN': '请写数字加 s、m、h 或 d，至少 10s，例如 12h；或 off',
  },
  badCount: { en: 'write a number from 1 on', 'zh-CN': '请写 1 以上的数字' },
  restored: { en: 'Restored:', 'zh-CN': '已恢复：' },
  keptAs: { en: 'The file that was there before is now', 'zh-CN': '原有文件改名为' },
  moved: {
    en: 'Moved. The numbers of rows are equal and the chain of the audit log holds. The old store is as it was.',
    'zh-CN': '已移动。各表行数一致，审计链完整。原存储保持不变。',
  },
  initDone: { en: 'Ready. Start it with', 'zh-CN': '已就绪。启动命令：' },
} as const satisfies Record<string, Bilingual>;

/** Returns the language of --lang, else that of the environment. */
export function languageOf(given: string | undefined, env: NodeJS.ProcessEnv): Language {
  const name = given ?? env['LC_ALL'] ?? env['LC_MESSAGES'] ?? env['LANG'] ?? '';
  return /^zh/i.test(name) ? 'zh-CN' : 'en';
}
