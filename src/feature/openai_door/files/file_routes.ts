/** DOOR 3, files: documents that a program uploads for its agents. */
import { Readable } from 'node:stream';
import { Controller, Param } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { bodyOf, principalOf, queryOf } from '../../../controller/http_request';
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import { done, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { integerText } from '../../../controller/schemas/common';
import { NOT_SEEN_ANSWER, OWNED_FIELDS, SHARING_FIELDS } from '../../../controller/schemas/owned_schemas';
import { invalidField } from '../../../errors';
import { InjectService } from '../../../inject_service';
import { toWireOwned } from '../../../service/access/wire_owned';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';
import { OPENAI_TAG, READ_QUERY } from '../shared/openai_route';
import { toSeconds } from '../shared/to_seconds';
import type { FileServices } from './file_services';
import { readUpload } from './file_upload';
import { PURPOSES, type UploadedFileRecord } from './store/file_records';
import type { UploadedFiles } from './uploaded_files';

const OpenAiFile = Type.Object({
  id: Type.String(),
  object: Type.Literal('file'),
  bytes: Type.Integer(says('size of the upload', '上传时的大小')),
  created_at: Type.Integer(says('seconds since 1970', '自 1970 年起的秒数')),
  filename: Type.String(),
  purpose: oneOf(PURPOSES),
  status: Type.Literal('processed'),
  expires_at: Optional.Integer(says('seconds since 1970; absent: never', '自 1970 年起的秒数；缺省表示永不过期')),
  ...OWNED_FIELDS,
});
const OpenAiFiles = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(OpenAiFile),
  first_id: Type.Union([Type.String(), Type.Null()]),
  last_id: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});
/** Closed, unlike other bodies of this door: a misspelt field must not look as if the file were shared. */
const FileChange = closedObject(SHARING_FIELDS, { examples: [{ sharedWith: ['@ben'] }] });
const FileDeleted = Type.Object({ id: Type.String(), object: Type.Literal('file'), deleted: Type.Literal(true) });

/** Clients ask for up to this many; a page has fewer. */
const MAX_LIMIT = 10_000;
const MAX_PAGE = 1_000;
const FilesQuery = Type.Object({
  limit: Type.Optional(
    integerText(
      5,
      { minimum: 1, maximum: MAX_LIMIT, default: MAX_PAGE },
      says('files of a page, of which it has at most 1,000', '每页文件数，最多 1,000 个'),
    ),
  ),
  order: Optional.OneOf(['asc', 'desc'], says('desc, the newest first, when left out', '省略则为 desc，最新的在前')),
  after: Optional.String({ maxLength: 200, ...says('id of the last file of the page before', '上一页最后一个文件的 id') }),
  purpose: Optional.OneOf(PURPOSES),
});

/** A file must never run as a page of this origin. */
const DOWNLOAD_POLICY = "sandbox; default-src 'none'";

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/files')
export class OpenAiFilesController extends RestController {
  @InjectService<FileServices>() uploadedFiles!: UploadedFiles;

  @Post('/', 'createOpenAiFile', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Upload a file', 'zh-CN': '上传一个文件' },
    description: {
      en: 'A form with file (at most 25 MiB), purpose, and if it shall expire, expires_after[anchor]=created_at and expires_after[seconds] (3600 to 2592000). The bytes are stored in the workspace, where the tools of agents read them.',
      'zh-CN':
        '表单包含 file（最大 25 MiB）和 purpose；需要过期时，另加 expires_after[anchor]=created_at 和 expires_after[seconds]（3600 到 2592000）。内容存放在工作区，智能体的工具可以读取。',
    },
    upload: ['multipart/form-data'],
    answers: done(named('OpenAiFile', OpenAiFile)),
    errors: ['forbidden', 'quota_exceeded', 'rate_limited', 'store_unavailable'],
  })
  async create() {
    const { req } = this.ctx;
    const caller = principalOf(this.ctx);
    try {
      const added = await this.uploadedFiles.whileHeld(caller.tenantId, async () =>
        this.uploadedFiles.addFile(caller, await readUpload(this.ctx.get('content-type'), req.iterator({ destroyOnReturn: false }))),
      );
      this.ctx.status = 200;
      return toWireFile(added);
    } finally {
      // Reads the rest of this request, because the next request on the connection comes behind it.
      req.resume();
    }
  }

  @Get('/', 'listOpenAiFiles', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'List the uploaded files', 'zh-CN': '列出已上传的文件' },
    query: FilesQuery,
    answers: done(named('OpenAiFiles', OpenAiFiles)),
  })
  async list() {
    const { limit = String(MAX_PAGE), order = 'desc', after, purpose } = queryOf(this.ctx, FilesQuery);
    const count = Number(limit);
    if (count < 1 || count > MAX_LIMIT) throw invalidField('/limit', `must be 1 to ${MAX_LIMIT}.`, `必须在 1 到 ${MAX_LIMIT} 之间。`);
    const page = await this.uploadedFiles.listFiles(principalOf(this.ctx), { limit: Math.min(count, MAX_PAGE), order, after, purpose });
    const data = page.data.map(toWireFile);
    const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return { object: 'list', data, first_id: first, last_id: last, has_more: page.nextCursor !== undefined };
  }

  @Get('/:id', 'getOpenAiFile', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'Read what is known of a file', 'zh-CN': '读取一个文件的信息' },
    answers: done(named('OpenAiFile', OpenAiFile)),
  })
  async get(@Param('id') id: string) {
    return toWireFile(await this.uploadedFiles.getFile(principalOf(this.ctx), id));
  }

  @Get('/:id/content', 'getOpenAiFileContent', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'Download a file', 'zh-CN': '下载一个文件' },
    description: { en: 'As it is in the workspace now.', 'zh-CN': '即它在工作区中现在的内容。' },
    answers: { 200: { description: { en: 'The bytes of the file, as a download', 'zh-CN': '文件的字节，作为下载' } } },
    errors: ['forbidden', 'rate_limited', 'store_unavailable'],
  })
  async download(@Param('id') id: string) {
    const { file, content } = await this.uploadedFiles.openFile(principalOf(this.ctx), id);
    this.ctx.status = 200;
    this.ctx.attachment(file.filename);
    this.ctx.type = 'application/octet-stream';
    this.ctx.set({ 'cache-control': 'private, no-cache', 'content-security-policy': DOWNLOAD_POLICY });
    this.ctx.length = content.size;
    if (this.ctx.method === 'HEAD') {
      await content.close();
      return null;
    }
    // Comes in every case: at the end, after an error, and when the caller has left before the first byte.
    return Readable.from(content.read(0, content.size)).on('close', () => void content.close());
  }

  @Post('/:id', 'updateOpenAiFile', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Change who sees a file', 'zh-CN': '更改谁能看到一个文件' },
    description: {
      en: 'Others who see it read it, list it and name it in requests; its owner alone deletes it.',
      'zh-CN': '其他能看到它的人可以读取、列出它，并在请求中指明它；只有所有者能删除它。',
    },
    body: FileChange,
    answers: { ...done(named('OpenAiFile', OpenAiFile)), ...NOT_SEEN_ANSWER },
    errors: ['store_unavailable'],
  })
  async update(@Param('id') id: string) {
    const changed = await this.uploadedFiles.shareFile(principalOf(this.ctx), id, bodyOf(this.ctx, FileChange));
    this.ctx.status = changed ? 200 : 204;
    return changed && toWireFile(changed);
  }

  @Delete('/:id', 'deleteOpenAiFile', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Delete a file', 'zh-CN': '删除一个文件' },
    answers: done(named('FileDeleted', FileDeleted)),
    errors: ['store_unavailable'],
  })
  async delete(@Param('id') id: string) {
    await this.uploadedFiles.deleteFile(principalOf(this.ctx), id);
    return { id, object: 'file', deleted: true };
  }
}

/** A file as clients of OpenAI read it. */
export function toWireFile(file: UploadedFileRecord) {
  const { id, filename, purpose, size, createdAt, expiresAt } = file;
  const more = { ...(expiresAt !== undefined && { expires_at: toSeconds(expiresAt) }), ...toWireOwned(file) };
  return { id, object: 'file', bytes: size, created_at: toSeconds(createdAt), filename, purpose, status: 'processed', ...more };
}
