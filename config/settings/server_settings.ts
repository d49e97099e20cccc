/** The settings of the server: its address, directories, and who may reach it. */
import { databaseAddress, flag, integer, list, oneOf, redisAddress, secret, text, textOr } from './setting_types';

export const SERVER = {
  PORT: integer(
    { minimum: 0, maximum: 65_535, default: 7001 },
    { section: 'server', isCommon: true, en: 'port of the gateway; 0: any free port', zh: '网关的端口；0 表示任意空闲端口' },
  ),
  HOST: textOr('127.0.0.1', {
    section: 'server',
    isCommon: true,
    en: 'address to listen on; any but a loopback address needs `NETA_API_KEYS` and `NETA_ORIGINS` ([keys](docs/guides/keys.md))',
    zh: '监听的地址；回环地址以外的地址需要设置 `NETA_API_KEYS` 和 `NETA_ORIGINS`（[密钥](docs/guides/keys.zh-CN.md)）',
  }),
  DATABASE_URL: databaseAddress('DATABASE_URL', {
    section: 'server',
    en: '[Postgres](docs/guides/postgres.md) that several gateways can share, such as `postgres://user:password@host:5432/neta`, also with several hosts; left out: a SQLite file in `NETA_DATA_DIR`',
    zh: '可由多个网关共用的 [Postgres](docs/guides/postgres.zh-CN.md)，如 `postgres://user:password@host:5432/neta`，也可写多个主机；省略时使用 `NETA_DATA_DIR` 里的 SQLite 文件',
  }),
  DATABASE_READ_URL: databaseAddress('DATABASE_READ_URL', {
    section: 'server',
    en: 'a [replica](docs/guides/postgres.md#a-replica-for-lists) of that Postgres, which answers lists, searches, exports and the operator pages; also with several hosts; left out: the primary answers them',
    zh: '该 Postgres 的[只读副本](docs/guides/postgres.zh-CN.md#用于列表的副本)，由它回答列表、搜索、导出和运维页面；也可写多个主机；省略时由主服务器回答',
  }),
  REDIS_URL: redisAddress('REDIS_URL', {
    section: 'server',
    en: '[Redis](docs/guides/postgres.md#messages-over-redis) that carries messages between gateways on one Postgres, such as `redis://:password@host:6379`; left out: Postgres carries them',
    zh: '在共用一个 Postgres 的网关之间传递消息的 [Redis](docs/guides/postgres.zh-CN.md#通过-redis-传递消息)，如 `redis://:password@host:6379`；省略时由 Postgres 传递',
  }),
  NETA_HOME: text({
    section: 'server',
    en: 'folder at which relative paths of settings start; left out: the folder in which an [installed](docs/guides/install.md) gateway is started, or the checkout',
    zh: '设置中相对路径的起点目录；省略时为启动[已安装的](docs/guides/install.zh-CN.md)网关时所在的目录，或代码检出目录',
  }),
  NETA_REHEARSAL: flag({
    section: 'server',
    en: '1: the gateway is a [rehearsal](docs/guides/update.md) on a copy of the data: it recovers no runs and starts no jobs, deliveries and MCP servers',
    zh: '1：网关在数据副本上[演练](docs/guides/update.zh-CN.md)：不恢复运行，也不启动任务、投递和 MCP 服务器',
  }),
  NETA_DATA_DIR: textOr('./data', { section: 'server', isCommon: true, en: 'database, undo copies, logs', zh: '数据库、撤销副本、日志' }),
  NETA_WORKSPACE: textOr('./workspace', {
    section: 'server',
    isCommon: true,
    en: 'directory that the agent works in; created when missing',
    zh: '智能体工作的目录；没有则创建',
  }),
  NETA_WORKSPACE_STORE: oneOf(['local', 'shared', 'snapshot'], {
    section: 'server',
    en: 'how files of workspaces reach the other gateways on one Postgres: `local` not at all, `shared` by a disk that all of them see, `snapshot` by copies after each turn ([files](docs/guides/postgres.md#files-of-workspaces))',
    zh: '工作区的文件如何到达同一 Postgres 上的其他网关：`local` 不到达，`shared` 通过共享磁盘，`snapshot` 每轮之后保存副本（[文件](docs/guides/postgres.zh-CN.md#工作区的文件)）',
  }),
  NETA_WORKSPACE_SNAPSHOT_DIR: text({
    section: 'server',
    en: 'a directory on a disk that all gateways share, for the bytes of the copies; left out: the database holds them',
    zh: '所有网关共享的磁盘上的目录，存放副本的内容；省略时存放在数据库中',
  }),
  NETA_WORKSPACE_SNAPSHOT_MB: integer(
    { minimum: 1, maximum: 1_048_576, default: 1_024 },
    {
      section: 'server',
      en: "size of one tenant's workspace that is copied, in MiB; a larger one is not copied, and `/readyz` says so",
      zh: '单个租户可复制的工作区大小，单位为 MiB；更大的不复制，`/readyz` 会说明',
    },
  ),
  NETA_WORKSPACE_SNAPSHOT_FILES: integer(
    { minimum: 1, maximum: 1_000_000, default: 20_000 },
    { section: 'server', en: 'the same for its number of files', zh: '同上，按文件数计' },
  ),
  NETA_CONFIG_DIR: textOr('./config', {
    section: 'server',
    en: 'directory of `agents/*.yaml` and `approvals.yaml` ([approvals](docs/guides/approvals.md))',
    zh: '`agents/*.yaml` 和 `approvals.yaml` 所在的目录（[审批](docs/guides/approvals.zh-CN.md)）',
  }),
  NETA_LOCALE: oneOf(['en', 'zh-CN'], {
    section: 'server',
    isCommon: true,
    en: 'language of new sessions; a session may choose its own',
    zh: '新会话的语言；每个会话可以自选',
  }),
  TZ: text({
    section: 'server',
    en: 'time zone of prompts, of jobs that name none, and of log lines for people, such as `Asia/Shanghai`; left out: that of `/etc/localtime`, else of `/etc/timezone`',
    zh: '提示词、未指定时区的定时任务和便于阅读的日志行所用的时区，如 `Asia/Shanghai`；省略时取 `/etc/localtime`，其次 `/etc/timezone`',
  }),
  NETA_ORIGINS: list(
    'origin',
    'NETA_ORIGINS: {value} is not an origin; write scheme, host and port alone, such as https://chat.example.com.',
    {
      section: 'server',
      isCommon: true,
      en: 'origins of other pages that may use the gateway, separated by commas, such as `https://chat.example.com`',
      zh: '允许使用网关的外部页面的源，用逗号分隔，如 `https://chat.example.com`',
    },
  ),
  NETA_API_KEYS: secret({
    section: 'server',
    isCommon: true,
    en: 'API keys, separated by commas: `name:secret:tenant:scope+scope`; without tenant and scopes `default` and `chat` ([keys](docs/guides/keys.md))',
    zh: 'API 密钥，用逗号分隔：`名称:密钥:租户:权限+权限`；省略租户和权限时为 `default` 和 `chat`（[密钥](docs/guides/keys.zh-CN.md)）',
  }),
  NETA_METRICS_TOKEN: secret({
    section: 'server',
    en: 'token with which Prometheus reads `/metrics`, as a bearer token ([metrics](docs/guides/metrics.md)); a key with the scope `ops:read` does, too',
    zh: 'Prometheus 读取 `/metrics` 所用的令牌，以 bearer 方式发送（[指标](docs/guides/metrics.zh-CN.md)）；有 `ops:read` 权限的密钥也可以',
  }),
  NETA_SECRET_KEY: secret({
    section: 'server',
    en: 'text of at least 32 random characters that encrypts [logins at MCP servers](docs/guides/mcp.md#logins) and [authenticator apps](docs/guides/people.md#a-second-factor-and-passkeys) in the store, and the summaries of [compaction items](docs/guides/openai-responses.md#compact-a-conversation); gateways on one database need the same; left out: the key in `secret.key` of the data directory',
    zh: '至少 32 个随机字符的文本，用于加密存储中的 [MCP 服务器登录](docs/guides/mcp.zh-CN.md#登录)和[验证器应用](docs/guides/people.zh-CN.md#第二因素与通行密钥)，以及[压缩条目](docs/guides/openai-responses.zh-CN.md#压缩对话)中的摘要；共用一个数据库的网关须设为相同的值；省略时使用数据目录中 `secret.key` 里的密钥',
  }),
  NETA_HOSTS: list('host-name', 'NETA_HOSTS: {value} is not a host name; write names such as gateway.example.com, without scheme.', {
    section: 'server',
    en: 'names under which clients reach the gateway, separated by commas; its address and loopback names always work, any other `Host` is refused',
    zh: '客户端访问网关所用的名称，用逗号分隔；网关自己的地址和回环名称始终可用，其他 `Host` 会被拒绝',
  }),
  NETA_MCP_TOOLS: list(
    'tool-names',
    'NETA_MCP_TOOLS: {value} is not the name of a tool; write names such as calculator, or docs__* for all that begin so.',
    {
      section: 'server',
      en: 'tools that [MCP clients](docs/guides/mcp-server.md) may call directly, separated by commas; `docs__*` means all names that begin so; none when left out',
      zh: '[MCP 客户端](docs/guides/mcp-server.zh-CN.md)可以直接调用的工具，用逗号分隔；`docs__*` 表示以此开头的所有名称；省略则没有',
    },
  ),
  NETA_BASE_PATH: textOr(
    '',
    {
      section: 'server',
      en: 'path below which a [reverse proxy](docs/guides/operate.md#behind-a-reverse-proxy) shows the gateway, such as `/agent`; left out: the root, or the `X-Forwarded-Prefix` of a proxy in `NETA_TRUST_PROXY`',
      zh: '[反向代理](docs/guides/operate.zh-CN.md#在反向代理之后)展示网关的路径，如 `/agent`；省略时为根路径，或 `NETA_TRUST_PROXY` 中代理发来的 `X-Forwarded-Prefix`',
    },
    {
      format: 'base-path',
      refusal:
        'NETA_BASE_PATH: {value} is not a path that the gateway can be shown below; write one such as /agent, of letters, digits, "-", "_", "." and "~", that is no address of the gateway itself.',
    },
  ),
  NETA_TRUST_PROXY: list(
    'address-range',
    'NETA_TRUST_PROXY: {value} is not an IP address or CIDR range; write entries such as 10.0.0.7 or 10.0.0.0/8.',
    {
      section: 'server',
      en: 'addresses and CIDR ranges of proxies, separated by commas; the `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` of any other sender are ignored',
      zh: '代理的地址和 CIDR 网段，用逗号分隔；其他来源的 `X-Forwarded-For`、`-Proto`、`-Host` 和 `-Prefix` 会被忽略',
    },
  ),
};
