/** Requests and answers of the routes of chat files. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';

export const FORMATS = ['lines', 'json', 'markdown', 'html'] as const;
export type ChatFormat = (typeof FORMATS)[number];

export const ExportQuery = closedObject({
  format: Optional.OneOf(FORMATS, {
    default: 'lines',
    ...says(
      'lines: everything about the session as JSON lines; json: the session and its messages as one document; markdown, html: the texts, for people',
      'lines：以 JSON 行的形式导出会话的全部内容；json：会话及其消息，为一个文档；markdown、html：供人阅读的文字',
    ),
  }),
  locale: Optional.OneOf(
    ['en', 'zh-CN'],
    says('language of the words around the texts; absent: by Accept-Language', '文字以外部分的语言；缺省则依 Accept-Language'),
  ),
});

export const ImportedChats = Type.Object({
  sessions: Type.Integer(says('chats that are sessions now', '已成为会话的对话数')),
  messages: Type.Integer(says('messages in these sessions', '这些会话中的消息数')),
  skipped: Type.Integer(
    says(
      'chats that stayed out: without messages, in an unknown form, or with over 2,000 messages or 1 MB',
      '未导入的对话数：没有消息、形式未知，或超过 2,000 条消息或 1 MB',
    ),
  ),
});
