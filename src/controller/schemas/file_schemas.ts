/** Requests and answers of the routes under /files. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { PAGE_QUERY, Time } from './common';

export const FilesQuery = closedObject({
  ...PAGE_QUERY,
  path: Optional.String({ maxLength: 4_096, ...says('the directory; the whole workspace without it', '目录；省略时为整个工作区') }),
});

export const FileHeaders = Type.Object({
  range: Optional.String(says('one range of bytes, such as bytes=0-1023', '一个字节范围，例如 bytes=0-1023')),
  'if-none-match': Optional.String(
    says('ETag that the caller has; 304 when it is still the present one', '调用方已有的 ETag；仍为当前版本时返回 304'),
  ),
  'if-range': Optional.String(says('ETag that the range belongs to', '范围所属的 ETag')),
});

export const ChangeHeaders = Type.Object({
  'if-match': Optional.String(says('ETag of the version that may be changed, or *', '允许改动的版本的 ETag，或 *')),
  'if-none-match': Optional.String(says('* : only when there is no such file', '*：仅当文件不存在时')),
});

export const File = Type.Object({
  name: Type.String(),
  path: Type.String(says('relative to the workspace', '相对于工作区的路径')),
  size: Type.Integer(says('bytes; 0 for a directory', '字节数；目录为 0')),
  type: oneOf(['file', 'directory', 'symlink', 'other'], says('a symlink is listed as itself', '符号链接按其自身列出')),
  modifiedAt: Time,
});

export const StoredFile = Type.Object({
  ...File.properties,
  executionId: Type.String(
    says(
      'the tool execution of this change: POST /tool-executions/{id}/undo takes it back',
      '这次改动的工具执行记录：POST /tool-executions/{id}/undo 可撤销',
    ),
  ),
});
