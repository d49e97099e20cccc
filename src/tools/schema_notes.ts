/** Writes rules that a schema for a model server cannot hold as sentences. */
import type { ToolLocale } from './common';

type Note = (value: string) => string;

const EN = {
  null: () => 'May be null.',
  pattern: value => `Must match the pattern ${value}.`,
  format: value => `Format: ${value}.`,
  default: value => `Default: ${value}.`,
  oneOf: value => `One of: ${value}.`,
  greater: value => `Greater than ${value}.`,
  less: value => `Less than ${value}.`,
  multiple: value => `A multiple of ${value}.`,
  unique: () => 'No two items are the same.',
  tuple: value => `Has ${value} parts, in the order of the schemas.`,
  further: value => `Takes further fields, each of the form ${value}.`,
  groups: value => `Needs the fields of one of these groups: ${value}.`,
  empty: () => 'May be an empty text.',
  json: () => 'Any JSON value.',
} satisfies Record<string, Note>;

type Notes = Record<keyof typeof EN, Note>;

const ZH: Notes = {
  null: () => '可以是 null。',
  pattern: value => `须匹配模式 ${value}。`,
  format: value => `格式：${value}。`,
  default: value => `默认值：${value}。`,
  oneOf: value => `取值之一：${value}。`,
  greater: value => `大于 ${value}。`,
  less: value => `小于 ${value}。`,
  multiple: value => `${value} 的倍数。`,
  unique: () => '各项互不相同。',
  tuple: value => `共 ${value} 个部分，顺序与 schema 一致。`,
  further: value => `可以有其他字段，形式均为 ${value}。`,
  groups: value => `需要以下各组之一的字段：${value}。`,
  empty: () => '可以是空文本。',
  json: () => '任意 JSON 值。',
};

export const SCHEMA_NOTES: Record<ToolLocale, Notes> = { en: EN, 'zh-CN': ZH };
