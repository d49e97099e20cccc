/** Builders for the rows of settings_schema.ts: the type of a setting, its bounds, and how the docs describe it. */
import { isIP } from 'node:net';
import { FormatRegistry, type TArray, type TLiteral, type TOptional, type TSchema, type TString, Type } from '@sinclair/typebox';
import { isOwnPath, toBasePath } from '../../src/utils/base_path';
import { type Bilingual, says } from '../../src/utils/bilingual';

/** Headings of the settings tables in docs/guides/operate.md, in this order. */
export const SECTIONS = {
  server: { en: 'Server and directories', 'zh-CN': '服务与目录' },
  model: { en: 'Model', 'zh-CN': '模型' },
  runs: { en: 'Runs, limits and caching', 'zh-CN': '运行、限制与缓存' },
  questions: { en: 'Questions and approvals', 'zh-CN': '提问与审批' },
  commands: { en: 'Commands and sandbox', 'zh-CN': '命令与沙箱' },
  web: { en: 'Web, search and weather', 'zh-CN': '网络、搜索与天气' },
  retention: { en: 'Retention', 'zh-CN': '保留期限' },
  logs: { en: 'Logs and traces', 'zh-CN': '日志与链路追踪' },
  tests: { en: 'Tests', 'zh-CN': '测试' },
} satisfies Record<string, Bilingual>;

/** The fields of a row beside its type. Links in the texts are paths from the root of the repository. */
export interface SettingInfo {
  section: keyof typeof SECTIONS;
  en: string;
  zh: string;
  /** The README lists this setting too. */
  isCommon?: true;
}

/** Keywords of a setting's schema that validation ignores. */
export interface SettingKeywords {
  section: keyof typeof SECTIONS;
  isCommon?: true;
  /** The value is a secret: no error text, log line or page may contain it. */
  isSecret?: true;
  /** The value must pass findKeyProblem. */
  isHeaderKey?: true;
  /** The whole error sentence; `{value}` stands for the refused text. Types with bounds have none: their sentence follows from the bounds. */
  refusal?: string;
}

const keywords = ({ section, en, zh, isCommon }: SettingInfo): SettingKeywords & ReturnType<typeof says> => ({
  section,
  ...says(en, zh),
  isCommon,
});

export const integer = (bounds: { minimum: number; maximum: number; default: number }, info: SettingInfo) =>
  Type.Integer({ ...bounds, ...keywords(info) });

/** The first choice is the default. */
export const oneOf = <const T extends string>(choices: readonly [T, ...T[]], info: SettingInfo) =>
  Type.Union(choices.map(choice => Type.Literal(choice)) as TLiteral<T>[], { default: choices[0], ...keywords(info) });

export const flag = (info: SettingInfo) => oneOf(['0', '1'], info);

/** A text with a default, so it is never absent. `refusal` is needed where a `format` may refuse the text. */
export const textOr = (fallback: string, info: SettingInfo, check: { format?: string; refusal?: string } = {}): TString =>
  Type.String({ default: fallback, ...check, ...keywords(info) });

export const text = (info: SettingInfo): TOptional<TString> => Type.Optional(Type.String(keywords(info)));

export const secret = (info: SettingInfo): TOptional<TString> => Type.Optional(Type.String({ isSecret: true, ...keywords(info) }));

/** A key that is sent in a header of HTTP. */
export const headerKey = (info: SettingInfo): TOptional<TString> =>
  Type.Optional(Type.String({ isSecret: true, isHeaderKey: true, ...keywords(info) }));

export const httpAddress = (name: string, example: string, info: SettingInfo): TOptional<TString> =>
  Type.Optional(
    Type.String({
      format: 'http-address',
      refusal: `${name} must be an http or https address, such as ${example}.`,
      ...keywords(info),
    }),
  );

/** The address of a database. It is a secret, because it holds the password. */
export const databaseAddress = (name: string, info: SettingInfo): TOptional<TString> =>
  Type.Optional(
    Type.String({
      isSecret: true,
      format: 'database-address',
      refusal: `${name} must be an address of Postgres, such as postgres://user:password@db.example.com:5432/neta.`,
      ...keywords(info),
    }),
  );

/** The address of a Redis. It is a secret, because it may hold a password. */
export const redisAddress = (name: string, info: SettingInfo): TOptional<TString> =>
  Type.Optional(
    Type.String({
      isSecret: true,
      format: 'redis-address',
      refusal: `${name} must be an address of Redis, such as redis://:password@redis.example.com:6379.`,
      ...keywords(info),
    }),
  );

/** The address of an SMTP server. It is a secret, because it may hold a password. */
export const smtpAddress = (name: string, info: SettingInfo): TOptional<TString> =>
  Type.Optional(
    Type.String({
      isSecret: true,
      format: 'smtp-address',
      refusal: `${name} must be an address of an SMTP server, such as smtp://user:password@mail.example.com:587.`,
      ...keywords(info),
    }),
  );

/** Entries separated by commas; the refusal quotes the first bad entry. */
export const list = (format: string, refusal: string, info: SettingInfo): TArray<TString> =>
  Type.Array(Type.String({ format }), { default: [], refusal, ...keywords(info) });

/** Choices of a setting made by `oneOf`, else undefined. */
export const choicesOf = (schema: TSchema): string[] | undefined =>
  (schema['anyOf'] as { const: string }[] | undefined)?.map(choice => choice.const);

FormatRegistry.Set('http-address', value => /^https?:\/\/[^/]/.test(value) && URL.canParse(value));
// Several hosts are no URL. The store reads the address and names a part that is wrong.
FormatRegistry.Set('database-address', value => /^postgres(ql)?:\/\/[^/]/.test(value));
FormatRegistry.Set('redis-address', value => /^rediss?:\/\/[^/]/.test(value) && URL.canParse(value));
FormatRegistry.Set('smtp-address', value => /^smtps?:\/\/[^/]/.test(value) && URL.canParse(value) && !/%(?![\da-f]{2})/i.test(value));
FormatRegistry.Set('mail-sender', value => /^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>,]+@[^\s@<>,]+)$/.test(value));
FormatRegistry.Set('origin', value => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value);
FormatRegistry.Set('contact', value => /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(value));
FormatRegistry.Set('header-text', value => /^[\x20-\x7e]{1,300}$/.test(value));
FormatRegistry.Set('host-and-port', value => {
  const [, host = '', port = ''] = /^(\[[^\]/?#@]+\]|[^:/?#@\s]+):(\d{1,5})$/.exec(value) ?? [];
  return host !== '' && URL.canParse(`http://${host}`) && Number(port) >= 1 && Number(port) <= 65_535;
});
FormatRegistry.Set('base-path', value => {
  const path = toBasePath(value);
  return path !== undefined && !isOwnPath(path);
});
FormatRegistry.Set('tool-names', value => /^[A-Za-z0-9_-]{1,64}\*?$/.test(value));
FormatRegistry.Set('share', value => /^(0(\.\d+)?|1(\.0+)?)$/.test(value));
FormatRegistry.Set('host-name', value => /^[\w.-]+(:\d{1,5})?$/.test(value) && URL.canParse(`http://${value}`));
FormatRegistry.Set('address-range', value => {
  const [, address = '', prefix = '0'] = /^([\da-f.:]+?)(?:\/(\d{1,3}))?$/i.exec(value) ?? [];
  return isIP(address) !== 0 && Number(prefix) <= (isIP(address) === 6 ? 128 : 32);
});
