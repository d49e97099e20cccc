/** Texts of updates in both languages. */
import type { Bilingual } from '../../utils/bilingual';
import type { Language } from '../texts';

export const UPDATE_TEXTS = {
  checkout: {
    en: 'This gateway runs from a checkout: update it with git and start it again. neta update works for an installed package.',
    'zh-CN': '此网关从代码检出运行：请用 git 更新后重新启动。neta update 适用于已安装的包。',
  },
  updating: { en: 'Another update of this folder runs. Wait for its end.', 'zh-CN': '此目录正在进行另一次更新。请等待它结束。' },
  notFetched: { en: 'npm cannot fetch the version', 'zh-CN': 'npm 无法获取版本' },
  noPackage: { en: 'There is no package of neta-gateway in', 'zh-CN': '其中没有 neta-gateway 的包：' },
  noCopy: { en: 'The data cannot be copied for the rehearsal:', 'zh-CN': '无法为演练复制数据：' },
  noStart: { en: 'The new version does not start on a copy of the data', 'zh-CN': '新版本无法在数据副本上启动' },
  checkFails: { en: 'A check fails with the new version', 'zh-CN': '新版本有一项检查失败' },
  runDiffers: { en: 'The new version handles a recorded run differently', 'zh-CN': '新版本对一个已录制运行的处理不同' },
  promptsChange: { en: 'The requests to the model change, as with new prompts', 'zh-CN': '对模型的请求有变化，例如提示词更新' },
  noReplays: { en: 'The new version cannot replay runs', 'zh-CN': '新版本不能重放运行' },
  noDatabase: {
    en: 'The rehearsal used SQLite, so the migration of Postgres was not tried: the server creates no database for it',
    'zh-CN': '演练使用了 SQLite，未尝试 Postgres 的迁移：服务器不为演练创建数据库',
  },
  oneWay: {
    en: 'The version before does not start on the migrated data: a rollback needs the backup',
    'zh-CN': '之前的版本无法在迁移后的数据上启动：回滚需要使用备份',
  },
  unwatched: {
    en: 'A gateway runs here without its supervisor, so no other version can take its place. Start it with neta-gateway or neta start:',
    'zh-CN': '此处的网关没有监督进程，其他版本无法接替它。请用 neta-gateway 或 neta start 启动：',
  },
  notReady: {
    en: 'The gateway of this folder runs, but is not ready. Look at its log first:',
    'zh-CN': '此目录的网关在运行，但尚未就绪。请先查看日志：',
  },
  backup: { en: 'Backup:', 'zh-CN': '备份：' },
  unpacked: { en: 'The new version is', 'zh-CN': '新版本为' },
  same: { en: 'The gateway runs this version already:', 'zh-CN': '网关已经是这个版本：' },
  replayed: { en: 'recorded runs replayed', 'zh-CN': '个已录制的运行已重放' },
  blocked: { en: 'Nothing was changed.', 'zh-CN': '没有任何改动。' },
  rehearsed: { en: 'The rehearsal passed. Nothing was changed.', 'zh-CN': '演练通过。没有任何改动。' },
  chosen: { en: 'The next start uses version', 'zh-CN': '下次启动使用版本' },
  watching: { en: 'The gateway runs the new version and is watched for some seconds:', 'zh-CN': '网关已运行新版本，正在观察的秒数：' },
  switched: { en: 'The gateway runs version', 'zh-CN': '网关正在运行版本' },
  wentBack: { en: 'The new version was not healthy, so the gateway runs again version', 'zh-CN': '新版本运行不正常，网关已恢复为版本' },
  notBack: {
    en: 'No version answers. Look at the log of the gateway; the backup is',
    'zh-CN': '没有版本作出响应。请查看网关日志；备份位于',
  },
  nothingBefore: { en: 'There is no version before this one to go back to.', 'zh-CN': '没有可以回滚的之前版本。' },
} as const satisfies Record<string, Bilingual>;

/** An update that cannot go on. */
export class UpdateError extends Error {
  constructor(
    private readonly text: Bilingual,
    private readonly detail = '',
  ) {
    super(text.en);
  }

  /** The sentence for a person. */
  in(language: Language): string {
    return `${this.text[language]} ${this.detail}`.trim();
  }
}
