/** Texts of `neta onboard` and `neta service` in both languages. */
import type { Bilingual } from '../utils/bilingual';

export const ONBOARD_TEXTS = {
  noTerminal: {
    en: 'there is no terminal to ask at: add --yes, which takes the usual answers, and give the others as options',
    'zh-CN': '没有可以提问的终端：请加 --yes 采用常用答案，其余用选项给出',
  },
  port: { en: 'Port', 'zh-CN': '端口' },
  badPort: { en: 'must be a number from 1 to 65535', 'zh-CN': '必须是 1 到 65535 的数字' },
  portUsed: {
    en: 'a program listens there already: stop it, or choose another port',
    'zh-CN': '已有程序在监听：请停止它，或换一个端口',
  },
  workspace: { en: 'Directory for the files of the agent', 'zh-CN': '智能体的文件目录' },
  starting: { en: 'Starting the gateway for its first settings ...', 'zh-CN': '正在启动网关以完成首次设置……' },
  whichModel: { en: 'Which model answers', 'zh-CN': '由哪个模型回答' },
  runsHere: { en: 'runs on this machine', 'zh-CN': '在本机运行' },
  demo: { en: 'none for now: a script answers (demo)', 'zh-CN': '暂不设置：由演示脚本应答' },
  address: { en: 'Address of the API, usually ending with /v1', 'zh-CN': 'API 地址，通常以 /v1 结尾' },
  key: { en: 'Key of the server (is not shown; empty: none)', 'zh-CN': '服务器的密钥（不会显示；留空表示没有）' },
  modelName: { en: 'Model', 'zh-CN': '模型' },
  trying: { en: 'Asking for one word:', 'zh-CN': '正在要一个词：' },
  chooseFrom: { en: 'choose from', 'zh-CN': '可选：' },
  noVariable: { en: 'the environment has no such variable', 'zh-CN': '环境中没有这个变量' },
  keyName: {
    en: 'Name of the first admin key ("none": everybody on this machine may use the gateway)',
    'zh-CN': '第一个管理密钥的名称（"none"：本机上任何人都可使用网关）',
  },
  account: {
    en: 'E-mail of the first account (empty: none; the account locks the gateway: from then on everybody needs a login or a key)',
    'zh-CN': '第一个账户的电子邮件（留空：没有；该账户会锁上网关：此后每个人都需要登录或密钥）',
  },
  badAccount: { en: 'must be an e-mail address', 'zh-CN': '必须是电子邮件地址' },
  accountsExist: { en: 'There are accounts already; none was made.', 'zh-CN': '已有账户；没有新建。' },
  accountLine: { en: 'open once, within seven days, to make the account of', 'zh-CN': '请在七天内打开一次，以创建账户' },
  service: { en: 'Run as a service: none, user or system', 'zh-CN': '作为服务运行：none、user 或 system' },
  badService: { en: 'must be none, user or system', 'zh-CN': '必须是 none、user 或 system' },
  startNow: { en: 'Start the gateway now?', 'zh-CN': '现在启动网关吗？' },
  keysExist: { en: 'There are keys already; none was made.', 'zh-CN': '已有密钥；没有新建。' },
  folder: { en: 'directory', 'zh-CN': '目录' },
  addressLine: { en: 'address', 'zh-CN': '地址' },
  modelLine: { en: 'model', 'zh-CN': '模型' },
  sandboxLine: { en: 'sandbox', 'zh-CN': '沙箱' },
  sandboxed: { en: 'commands of the agent see only its workspace and have no network', 'zh-CN': '智能体的命令只能看到工作区，且没有网络' },
  unsandboxed: {
    en: 'commands of the agent run as you, with your files and your network',
    'zh-CN': '智能体的命令以你的身份运行，可访问你的文件和网络',
  },
  keyFile: { en: 'The admin key is in the file', 'zh-CN': '管理密钥在文件中：' },
  keyLine: { en: 'admin key', 'zh-CN': '管理密钥' },
  next: { en: 'Start it with', 'zh-CN': '启动命令：' },
  ready: { en: 'Ready. Open', 'zh-CN': '已就绪。请打开' },
} as const satisfies Record<string, Bilingual>;

export const SERVICE_TEXTS = {
  installed: { en: 'The service runs. Its unit:', 'zh-CN': '服务已运行。单元文件：' },
  noSystemd: {
    en: 'systemd does not run on this machine, so nothing was started. The unit is below; any other supervisor can run the line of ExecStart.',
    'zh-CN': '本机没有运行 systemd，因此没有启动任何服务。单元内容如下；其他进程管理器可以运行 ExecStart 一行。',
  },
  notRoot: {
    en: 'a service of the system needs root: run it with sudo, or use --user',
    'zh-CN': '系统服务需要 root：请用 sudo 运行，或使用 --user',
  },
  otherDirectory: { en: 'is the service of another directory; remove it first', 'zh-CN': '是另一个目录的服务；请先移除它' },
  noDirectory: { en: 'has no .env; write one with neta onboard', 'zh-CN': '没有 .env；请用 neta onboard 建立' },
  temporary: {
    en: 'The program is in a cache of npx, which npm may empty: install it with "npm install -g neta-gateway" first.',
    'zh-CN': '程序位于 npx 的缓存中，可能被 npm 清空：请先运行 "npm install -g neta-gateway"。',
  },
  asRoot: {
    en: 'The service runs as root, because root owns the directory. Give the directory to a user of its own.',
    'zh-CN': '目录属于 root，因此服务以 root 运行。请把目录交给一个专用用户。',
  },
  linger: { en: 'So that it runs while you are logged out:', 'zh-CN': '要让它在你退出登录后继续运行：' },
  removed: { en: 'The service is removed; the directory stays.', 'zh-CN': '服务已移除；目录保留。' },
  none: { en: 'There is no service.', 'zh-CN': '没有服务。' },
  active: { en: 'state', 'zh-CN': '状态' },
  written: { en: 'Written:', 'zh-CN': '已写入：' },
} as const satisfies Record<string, Bilingual>;
