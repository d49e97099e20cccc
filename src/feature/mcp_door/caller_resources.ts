/** The sessions that the caller sees and the files of its tenant as resources of MCP. */
import type { ListResourcesResult, ListResourceTemplatesResult, ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { AppError, invalidField } from '../../errors';
import type { MessageRecord } from '../../port/store/messages';
import type { SessionAccess } from '../../service/access/session_access';
import type { FileRow, FileService } from '../../service/file/file_service';
import type { SessionService } from '../../service/session/session_service';
import type { McpCaller } from './mcp_client';

export interface CallerResourcesDeps {
  sessionService: SessionService;
  sessionAccess: SessionAccess;
  fileService: FileService;
}

const SESSIONS = 'neta://sessions/';
const FILES = 'neta://files/';
const DIRECTORY = 'inode/directory';
const PAGE = 100;
const MAX_FILE_BYTES = 1024 * 1024;
/** The newest messages of a session that a reader gets. */
const MESSAGES = { limit: 500, maxBytes: 512 * 1024 };

/** The list shows the sessions, newest first, then the files at the top of the workspace. */
type Place = { list: 'sessions' | 'files'; cursor?: string | undefined };

export class CallerResources {
  constructor(
    private readonly caller: Pick<McpCaller, 'principal' | 'locale'>,
    private readonly deps: CallerResourcesDeps,
  ) {}

  /** Rejects `invalid_request` for a cursor that is none. */
  async listResources(cursor: string | undefined): Promise<ListResourcesResult> {
    const place = readCursor(cursor);
    const page = { limit: PAGE, ...(place.cursor !== undefined && { cursor: place.cursor }) };
    if (place.list === 'files') {
      const { data, nextCursor } = await this.deps.fileService.listFiles({ tenantId: this.tenantId, path: '' }, page);
      return { resources: data.map(toFileResource), nextCursor: nextCursor && writeCursor({ list: 'files', cursor: nextCursor }) };
    }
    const { sessionService, sessionAccess } = this.deps;
    const filter = { viewer: sessionAccess.viewerOf(this.caller.principal) };
    const { data, nextCursor } = await sessionService.listSessions(this.tenantId, page, filter);
    const resources = data.map(({ id, title, updatedAt }) => ({
      uri: SESSIONS + id,
      name: title ?? id,
      mimeType: 'text/markdown',
      annotations: { lastModified: new Date(updatedAt).toISOString() },
    }));
    return { resources, nextCursor: writeCursor(nextCursor === undefined ? { list: 'files' } : { list: 'sessions', cursor: nextCursor }) };
  }

  listTemplates(): ListResourceTemplatesResult {
    const isChinese = this.caller.locale === 'zh-CN';
    return {
      resourceTemplates: [
        {
          uriTemplate: `${SESSIONS}{id}`,
          name: isChinese ? '会话' : 'session',
          description: isChinese ? '一个会话最新的消息' : 'the newest messages of a session',
          mimeType: 'text/markdown',
        },
        {
          uriTemplate: `${FILES}{+path}`,
          name: isChinese ? '文件' : 'file',
          description: isChinese
            ? '工作区中的文件；目录给出其内容的地址'
            : 'a file of the workspace; a directory gives the addresses of its entries',
        },
      ],
    };
  }

  /** Reads a session or a file. Rejects `not_found`, `forbidden` for a file that is not shown, and `invalid_request`. */
  async readResource(uri: string): Promise<ReadResourceResult> {
    if (uri.startsWith(SESSIONS)) return { contents: [await this.readSession(uri)] };
    if (uri.startsWith(FILES)) return { contents: [await this.readFile(uri)] };
    throw new AppError('not_found', {
      param: '/uri',
      message: `There is no such resource: an address begins with ${SESSIONS} or ${FILES}.`,
      messageZh: `没有这个资源：地址以 ${SESSIONS} 或 ${FILES} 开头。`,
    });
  }

  private async readSession(uri: string) {
    const id = uri.slice(SESSIONS.length);
    const { sessionService, sessionAccess } = this.deps;
    await sessionAccess.assertMay(this.caller.principal, id, 'look');
    const { data } = await sessionService.listMessages(this.tenantId, id, MESSAGES, 'desc');
    return { uri, mimeType: 'text/markdown', text: data.reverse().map(toText).filter(Boolean).join('\n\n') };
  }

  private async readFile(uri: string) {
    const key = { tenantId: this.tenantId, path: pathOf(uri) };
    if (key.path === '' || key.path.endsWith('/')) return this.readDirectory(uri, key.path);
    const file = await this.deps.fileService.openFile(key);
    try {
      if (file.size > MAX_FILE_BYTES)
        throw invalidField(
          '/uri',
          `names a file of more than ${MAX_FILE_BYTES} bytes; download it.`,
          `文件超过 ${MAX_FILE_BYTES} 字节，请下载。`,
        );
      const parts: Uint8Array[] = [];
      for await (const part of file.read(0, file.size)) parts.push(part);
      const bytes = Buffer.concat(parts);
      const text = textOf(bytes);
      return text === undefined
        ? { uri, mimeType: 'application/octet-stream', blob: bytes.toString('base64') }
        : { uri, mimeType: 'text/plain', text };
    } finally {
      await file.close();
    }
  }

  private async readDirectory(uri: string, path: string) {
    const { data } = await this.deps.fileService.listFiles({ tenantId: this.tenantId, path }, { limit: 1_000 });
    return { uri, mimeType: DIRECTORY, text: data.map(row => toFileResource(row).uri).join('\n') };
  }

  private get tenantId(): string {
    return this.caller.principal.tenantId;
  }
}

function toFileResource({ path, name, size, type, modifiedAt }: FileRow): Resource {
  const isDirectory = type === 'directory';
  const address = path.split('/').map(encodeURIComponent).join('/');
  return {
    uri: FILES + address + (isDirectory ? '/' : ''),
    name,
    mimeType: isDirectory ? DIRECTORY : undefined,
    size: isDirectory ? undefined : size,
    annotations: { lastModified: new Date(modifiedAt).toISOString() },
  };
}

/** Returns the text of a message for a reader; empty for a message that says nothing. */
function toText({ message }: MessageRecord): string {
  if (message.role !== 'user' && message.role !== 'assistant') return '';
  return message.content ? `**${message.role}**\n\n${message.content}` : '';
}

/** Returns undefined for bytes that are no text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(uri.slice(FILES.length));
  } catch {
    throw invalidField('/uri', 'must be an address with percent-encoded characters.', '必须是百分号编码的地址。');
  }
}

const writeCursor = ({ list, cursor = '' }: Place): string => Buffer.from(`${list}:${cursor}`).toString('base64url');

function readCursor(cursor: string | undefined): Place {
  if (cursor === undefined) return { list: 'sessions' };
  const [, list, inner] = /^(sessions|files):(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (list === undefined) throw invalidField('/cursor', 'must be the nextCursor of the page before.', '必须是上一页的 nextCursor。');
  return { list: list as Place['list'], cursor: inner || undefined };
}
