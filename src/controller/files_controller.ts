/** DOOR 2, the files of the caller's workspace. */
import { basename, posix } from 'node:path';
import { Readable } from 'node:stream';
import { Controller, Param } from '@midwayjs/core';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import type { OpenFile } from '../port/workspace';
import { type FileConditions, isListed } from '../service/file/file_conditions';
import { type FileKey, type FileRow, type FileService, MAX_UPLOAD_BYTES } from '../service/file/file_service';
import { type ByteRange, byteRangeOf } from './byte_range';
import { toEntityTag, versionsOf } from './entity_tags';
import { encodePage, pageOf, principalOf, queryOf, tenantOf } from './http_request';
import { page, RestController, routesWith } from './route';
import { ChangeHeaders, FileHeaders, FilesQuery } from './schemas/file_schemas';

/** A file must never run as a page of this origin, whatever its type. */
const DOWNLOAD_POLICY = "sandbox; default-src 'none'";
/** Types that a page loads as its own script or style, whatever the other headers say. */
const ACTIVE_TYPE = /(?:java|ecma)script|\/css/;

const { Get, Put, Delete } = routesWith({ scope: 'chat', tag: 'files' });

@Controller('/api/v1/files')
export class FilesController extends RestController {
  @InjectService() fileService!: FileService;

  @Get('/', 'listFiles', {
    summary: { en: 'List a directory of the workspace', 'zh-CN': '列出工作区的一个目录' },
    description: {
      en: 'In name order. What the gateway keeps in `.neta` is left out.',
      'zh-CN': '按名称排序。网关存放在 `.neta` 中的内容不列出。',
    },
    query: FilesQuery,
    answers: page('File'),
    errors: ['not_found', 'forbidden'],
  })
  async list() {
    const { path = '', ...query } = queryOf(this.ctx, FilesQuery);
    return encodePage(await this.fileService.listFiles({ tenantId: tenantOf(this.ctx), path }, pageOf(query)), toWireFile);
  }

  @Get('/:path(.*)', 'downloadFile', {
    summary: { en: 'Download a file', 'zh-CN': '下载一个文件' },
    description: {
      en: 'The path may contain slashes. One range is answered with 206. When the file does not exist and exactly one file has a name that looks the same, that one is sent; Content-Location names it. Files that usually hold keys are refused.',
      'zh-CN':
        '路径可以包含斜杠。单个范围以 206 回答。文件不存在、而恰有一个文件的名称看起来相同时，发送该文件，并由 Content-Location 指明。通常存放密钥的文件会被拒绝。',
    },
    headers: FileHeaders,
    answers: {
      200: { description: { en: 'The bytes of the file, as a download', 'zh-CN': '文件的字节，作为下载' } },
      206: { description: { en: 'The range of the bytes', 'zh-CN': '所要的字节范围' } },
      304: { description: { en: 'The caller has this version', 'zh-CN': '调用方已有这个版本' } },
    },
    errors: ['forbidden', 'range_not_satisfiable', 'rate_limited', 'store_unavailable'],
  })
  async download(@Param('path') path = '') {
    const file = await this.fileService.openFile({ tenantId: tenantOf(this.ctx), path });
    try {
      const range = this.rangeOf(file);
      this.describeFile(file);
      if (posix.normalize(path) !== file.path) this.ctx.set('content-location', this.addressOf(file.path));
      if (isListed(this.versionsIn('If-None-Match') ?? [], file.version)) this.ctx.status = 304;
      else if (this.ctx.method === 'HEAD') this.ctx.length = file.size;
      else return this.sendBytes(file, range);
      await file.close();
      return null;
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  @Put('/:path(.*)', 'uploadFile', {
    summary: { en: 'Store a file, or replace it', 'zh-CN': '存入或替换一个文件' },
    description: {
      en: 'The body is the content, of any type, at most 25 MiB. Missing directories are created. The file appears whole or not at all.',
      'zh-CN': '请求体即文件内容，类型不限，最多 25 MiB。缺少的目录会被创建。文件要么完整出现，要么完全不出现。',
    },
    headers: ChangeHeaders,
    upload: true,
    answers: {
      201: { description: { en: 'The file is new; Location says where', 'zh-CN': '文件为新建；Location 指明位置' }, json: 'StoredFile' },
      200: { description: { en: 'The file is replaced', 'zh-CN': '文件已替换' }, json: 'StoredFile' },
    },
    errors: ['forbidden', 'precondition_failed', 'rate_limited', 'store_unavailable'],
  })
  async upload(@Param('path') path = '') {
    this.checkBody();
    const { row, version, executionId, created } = await this.storeBody({ tenantId: tenantOf(this.ctx), path });
    this.ctx.status = created ? 201 : 200;
    this.ctx.set('etag', toEntityTag(version));
    if (created) this.ctx.set('location', this.addressOf(row.path));
    return { ...toWireFile(row), executionId };
  }

  @Delete('/:path(.*)', 'deleteFile', {
    summary: { en: 'Delete a file', 'zh-CN': '删除一个文件' },
    description: {
      en: 'Directories are refused. `GET /tool-executions?tool=file_delete` lists deletions, with the id that undoes each.',
      'zh-CN': '目录会被拒绝。`GET /tool-executions?tool=file_delete` 列出删除记录，其 id 可用于撤销。',
    },
    headers: ChangeHeaders,
    answers: { 204: { description: { en: 'The file is deleted', 'zh-CN': '文件已删除' } } },
    errors: ['forbidden', 'precondition_failed', 'store_unavailable'],
  })
  async remove(@Param('path') path = '') {
    await this.fileService.deleteFile(principalOf(this.ctx), { path }, this.conditions());
    this.ctx.status = 204;
  }

  /** Returns the range to send; undefined for the whole file, also when the file's version differs from If-Range. Throws `range_not_satisfiable`. */
  private rangeOf({ size, version }: OpenFile): ByteRange | undefined {
    const { range } = this.ctx.state as { range?: string };
    const ifRange = this.ctx.get('if-range');
    const wanted = ifRange === '' || ifRange === toEntityTag(version) ? byteRangeOf(range, size) : undefined;
    if (wanted !== 'unsatisfiable') return wanted;
    this.ctx.set('content-range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable', { param: '/range' });
  }

  private addressOf(path: string): string {
    return `${this.ctx.state.basePath}/api/v1/files/${path.split('/').map(encodeURIComponent).join('/')}`;
  }

  private describeFile({ path, version, modifiedAt }: OpenFile): void {
    this.ctx.status = 200;
    this.ctx.attachment(basename(path));
    if (this.ctx.type === '' || ACTIVE_TYPE.test(this.ctx.type)) this.ctx.type = 'application/octet-stream';
    this.ctx.set({
      etag: toEntityTag(version),
      'last-modified': new Date(modifiedAt).toUTCString(),
      'cache-control': 'private, no-cache',
      'content-security-policy': DOWNLOAD_POLICY,
    });
  }

  private sendBytes(file: OpenFile, range: ByteRange | undefined): Readable {
    const { start, end } = range ?? { start: 0, end: file.size };
    if (range) {
      this.ctx.status = 206;
      this.ctx.set('content-range', `bytes ${start}-${end - 1}/${file.size}`);
    }
    this.ctx.length = end - start;
    // Comes in every case: at the end, after an error, and when the caller has left before the first byte.
    return Readable.from(file.read(start, end)).on('close', () => void file.close());
  }

  private async storeBody(key: FileKey) {
    const { req } = this.ctx;
    try {
      // A refusal leaves the loop early, and goes over the same connection.
      return await this.fileService.uploadFile(key, req.iterator({ destroyOnReturn: false }), this.conditions());
    } finally {
      // Reads the rest of this request, because the next request on the connection comes behind it.
      req.resume();
    }
  }

  /** Throws when the body would not be stored as it was sent. */
  private checkBody(): void {
    const encoding = this.ctx.get('content-encoding');
    if (encoding !== '' && encoding !== 'identity') {
      throw new AppError('unsupported_media_type', {
        message: 'Send the file without Content-Encoding: it is stored as it arrives.',
        messageZh: '发送文件时不要使用 Content-Encoding：内容会原样保存。',
      });
    }
    if (Number(this.ctx.get('content-length')) > MAX_UPLOAD_BYTES)
      throw new AppError('too_large', { message: 'A file may have at most 25 MiB.', messageZh: '文件最大 25 MiB。' });
  }

  private conditions(): FileConditions {
    const [ifMatch, ifNoneMatch] = [this.versionsIn('If-Match'), this.versionsIn('If-None-Match')];
    return { ifMatch, ifNoneMatch };
  }

  private versionsIn(name: 'If-Match' | 'If-None-Match'): string[] | undefined {
    const header = this.ctx.get(name);
    return header === '' ? undefined : versionsOf(name, header);
  }
}

const toWireFile = ({ modifiedAt, ...row }: FileRow) => ({ ...row, modifiedAt: new Date(modifiedAt).toISOString() });
