/** DOOR 2, sessions and their messages. */

import { Controller, Param } from '@midwayjs/core';
import type { Static } from '@sinclair/typebox';
import { InjectService } from '../inject_service';
import { IMAGE_MEDIA_TYPES } from '../port/llm';
import type { SessionRecord } from '../port/store/sessions';
import { shownMember } from '../service/access/member_names';
import type { SessionAccess } from '../service/access/session_access';
import type { SessionSharing, SharingChange } from '../service/access/session_sharing';
import type { ImageService } from '../service/image/image_service';
import { readRequestParameters } from '../service/model/model_parameters';
import type { OncePerKey } from '../service/once_per_key';
import type { SessionService } from '../service/session/session_service';
import { flagOf } from '../utils/flag_of';
import { decodeId } from '../wire/decode';
import { toWireBranch, toWireMessage, toWireSession } from '../wire/wire_records';
import { bodyOf, checkMetadata, encodePage, markReplay, onceOf, pageOf, principalOf, queryOf, sinceOf, tenantOf } from './http_request';
import { listOrPage } from './list_pages';
import { done, page, RestController, routesWith } from './route';
import { IdempotencyHeader, ListQuery } from './schemas/common';
import {
  BranchesQuery,
  BranchRequest,
  ForkRequest,
  ImportRequest,
  MessagesQuery,
  SessionChange,
  SessionInput,
  SessionsQuery,
} from './schemas/session_schemas';

const { Get, Post, Patch, Delete } = routesWith({ scope: 'chat', tag: 'sessions' });

/** Headers of images and files of messages. */
const KEPT_BYTES = {
  // An image shows only in pages of the same site, and as a document of its own it may do nothing.
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  // An id never gets other bytes.
  'cache-control': 'private, max-age=31536000, immutable',
};

@Controller('/api/v1/sessions')
export class SessionsController extends RestController {
  @InjectService() sessionService!: SessionService;
  @InjectService() imageService!: ImageService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() sessionSharing!: SessionSharing;

  @Get('/', 'listSessions', {
    summary: { en: 'List sessions, most recently used first', 'zh-CN': '列出会话，最近使用的在前' },
    description: {
      en: 'Sessions of child runs and of OpenAI clients are left out unless parent or origin asks for them.',
      'zh-CN': '不含子运行和 OpenAI 客户端的会话，除非用 parent 或 origin 指定。',
    },
    query: SessionsQuery,
    answers: page('Session'),
  })
  async list() {
    const { parent, origin, q, pinned, archived, project, agent, since, until, ...rest } = queryOf(this.ctx, SessionsQuery);
    const filter = {
      parentRunId: parent,
      originDoor: origin,
      title: q,
      pinned: pinned && (true as const),
      archived: flagOf(archived),
      project,
      viewer: this.sessionAccess.viewerOf(principalOf(this.ctx)),
      agent,
      since: since === undefined ? undefined : sinceOf(since),
      until: until === undefined ? undefined : sinceOf(until, 'until'),
    };
    return encodePage(await this.sessionService.listSessions(tenantOf(this.ctx), pageOf(rest), filter), toWireSession);
  }

  @Post('/', 'createSession', {
    summary: { en: 'Create a session', 'zh-CN': '新建会话' },
    headers: IdempotencyHeader,
    body: SessionInput,
    answers: {
      201: { description: { en: 'The session exists; Location says where', 'zh-CN': '会话已建立；Location 指明位置' }, json: 'Session' },
    },
    errors: ['not_found', 'idempotency_mismatch'],
  })
  async create() {
    const input = bodyOf(this.ctx, SessionInput);
    checkMetadata(input);
    const once = onceOf(this.ctx, 'createSession', input);
    return this.sendCreated(
      await this.sessionService.createSession(tenantOf(this.ctx), { ...toSessionInput(input), by: this.by }, once),
      once,
    );
  }

  @Post('/import', 'importSession', {
    summary: { en: 'Import a chat of another program', 'zh-CN': '导入其他程序的对话' },
    description: {
      en: 'Creates a session with these messages, which keep their times. No run is stored for them. A request has at most 1 MiB.',
      'zh-CN': '用这些消息新建会话，消息保留各自的时间，不产生运行记录。请求最多 1 MiB。',
    },
    headers: IdempotencyHeader,
    body: ImportRequest,
    answers: {
      201: { description: { en: 'The session exists; Location says where', 'zh-CN': '会话已建立；Location 指明位置' }, json: 'Session' },
    },
    errors: ['idempotency_mismatch'],
  })
  async import() {
    const input = bodyOf(this.ctx, ImportRequest);
    const once = onceOf(this.ctx, 'importSession', input);
    const messages = input.messages.map(({ createdAt, ...message }, index) => ({
      ...message,
      createdAt: createdAt === undefined ? undefined : sinceOf(createdAt, `messages/${index}/createdAt`),
    }));
    return this.sendCreated(await this.sessionService.importSession(tenantOf(this.ctx), { ...input, messages, by: this.by }, once), once);
  }

  @Get('/:id', 'getSession', {
    guests: 'session',
    summary: { en: 'Read a session', 'zh-CN': '读取会话' },
    answers: done('Session'),
  })
  async get(@Param('id') id: string) {
    return this.showShared(await this.sessionService.getSession(tenantOf(this.ctx), decodeId(id)));
  }

  @Patch('/:id', 'updateSession', {
    summary: { en: 'Change a session', 'zh-CN': '修改会话' },
    description: { en: 'Fields that are left out stay as they are.', 'zh-CN': '省略的字段保持不变。' },
    session: body => (Object.keys(body).every(field => field === 'visibility' || field === 'sharedWith') ? 'share' : 'drive'),
    body: SessionChange,
    answers: {
      ...done('Session'),
      204: { description: { en: 'Done; the caller does not see the session', 'zh-CN': '完成；调用方看不到此会话' } },
    },
    errors: ['forbidden'],
  })
  async update(@Param('id') id: string) {
    const { branch, visibility, sharedWith, ...input } = bodyOf(this.ctx, SessionChange);
    checkMetadata(input);
    const sessionId = decodeId(id);
    if (visibility !== undefined || sharedWith !== undefined) await this.changeAccess(sessionId, { visibility, sharedWith });
    const change = { ...toSessionInput(input), branch, by: this.by };
    const session = await this.sessionService.updateSession(tenantOf(this.ctx), sessionId, change);
    if (await this.sessionAccess.maySee(principalOf(this.ctx), sessionId)) return this.showShared(session);
    this.ctx.status = 204;
    return undefined;
  }

  @Delete('/:id', 'deleteSession', {
    summary: { en: 'Delete a session', 'zh-CN': '删除会话' },
    description: {
      en: 'Cancels its runs, then removes the session with its runs, messages, events, questions, plan, the long results kept in .neta/results, the sessions of its child runs, and the other branches of its chat. Other files in the workspace stay.',
      'zh-CN':
        '先取消其中的运行，再连同运行、消息、事件、问题、计划和保存在 .neta/results 中的长结果、子运行的会话以及同一对话的其他分支一起删除。工作区里的其他文件会保留。',
    },
    session: 'own',
    answers: { 204: { description: { en: 'The session is deleted', 'zh-CN': '会话已删除' } } },
  })
  async remove(@Param('id') id: string) {
    await this.sessionService.deleteSession(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Get('/:id/messages', 'listMessages', {
    guests: 'session',
    summary: { en: 'Read the messages, oldest first', 'zh-CN': '读取消息，最早的在前' },
    query: MessagesQuery,
    answers: page('Message'),
  })
  async messages(@Param('id') id: string) {
    const query = queryOf(this.ctx, MessagesQuery);
    const messages = await this.sessionService.listMessages(tenantOf(this.ctx), decodeId(id), pageOf(query), query.order);
    return encodePage(messages, toWireMessage);
  }

  @Get('/:id/images/:imageId', 'getImage', {
    guests: 'session',
    summary: { en: 'Read an image of a message', 'zh-CN': '读取消息中的图片' },
    answers: { 200: { description: { en: 'The bytes of the image', 'zh-CN': '图片内容' }, bytes: IMAGE_MEDIA_TYPES } },
  })
  async image(@Param('id') id: string, @Param('imageId') imageId: string) {
    const { mediaType, bytes } = await this.imageService.getImage(tenantOf(this.ctx), decodeId(id), decodeId(imageId));
    this.ctx.set({ ...KEPT_BYTES, 'content-type': mediaType, 'content-disposition': 'inline' });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  @Get('/:id/files/:fileId', 'getMessageFile', {
    guests: 'session',
    summary: { en: 'Read a file of a message', 'zh-CN': '读取消息中的文件' },
    answers: { 200: { description: { en: 'The bytes of the file', 'zh-CN': '文件内容' }, bytes: ['application/pdf'] } },
  })
  async file(@Param('id') id: string, @Param('fileId') fileId: string) {
    const { mediaType, bytes } = await this.imageService.getFile(tenantOf(this.ctx), decodeId(id), decodeId(fileId));
    this.ctx.set({ ...KEPT_BYTES, 'content-type': mediaType, 'content-disposition': 'attachment' });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  @Post('/:id/fork', 'forkSession', {
    summary: { en: 'Fork a session', 'zh-CN': '复制会话' },
    description: {
      en: 'Creates a session with the same history and plan; both continue independently. A run in progress is not copied.',
      'zh-CN': '得到一个历史和计划相同的新会话，此后各自发展。仍在进行的运行不会被复制。',
    },
    session: 'look',
    headers: IdempotencyHeader,
    body: ForkRequest,
    answers: {
      201: { description: { en: 'The new session; Location says where', 'zh-CN': '新会话；Location 指明位置' }, json: 'Session' },
    },
    errors: ['idempotency_mismatch'],
  })
  async fork(@Param('id') id: string) {
    const input = bodyOf(this.ctx, ForkRequest);
    const once = onceOf(this.ctx, 'forkSession', { id, input });
    return this.sendCreated(await this.sessionService.forkSession(tenantOf(this.ctx), decodeId(id), { ...input, by: this.by }, once), once);
  }

  @Post('/:id/branches', 'createBranch', {
    summary: { en: 'Branch a chat before one of its runs', 'zh-CN': '在某次运行之前为对话建立分支' },
    description: {
      en: 'Creates a session of the same chat with the messages before the run. Its first run stands in the place of that run, so a message is edited or an answer generated again without losing the earlier one. The list of sessions shows of a chat only the branch that was used last. Files in the workspace stay as they are.',
      'zh-CN':
        '在同一对话中新建一个会话，包含该运行之前的消息。它的第一次运行取代那次运行的位置，因此可以修改消息或重新生成回答而不丢失原来的内容。会话列表中每个对话只列出最近使用的分支。工作区里的文件保持原样。',
    },
    headers: IdempotencyHeader,
    body: BranchRequest,
    answers: {
      201: { description: { en: 'The new session; Location says where', 'zh-CN': '新会话；Location 指明位置' }, json: 'Session' },
    },
    errors: ['session_busy', 'idempotency_mismatch'],
  })
  async branch(@Param('id') id: string) {
    const input = bodyOf(this.ctx, BranchRequest);
    const once = onceOf(this.ctx, 'createBranch', { id, input });
    return this.sendCreated(await this.sessionService.branchSession(tenantOf(this.ctx), decodeId(id), input.before, once), once);
  }

  @Get('/:id/branches', 'listBranches', {
    summary: { en: 'List the branches of a chat, oldest first', 'zh-CN': '列出对话的分支，最早的在前' },
    description: {
      en: 'One row for each session of the chat; the first one is the session with which the chat began. PATCH /sessions/{id} with branch makes another one the active one.',
      'zh-CN': '对话的每个会话一行，第一行是对话最初的会话。用 PATCH /sessions/{id} 的 branch 可让另一个成为当前分支。',
    },
    query: BranchesQuery,
    answers: page('Branch'),
  })
  async branches(@Param('id') id: string) {
    const query = pageOf(queryOf(this.ctx, BranchesQuery));
    return encodePage(await this.sessionService.listBranches(tenantOf(this.ctx), decodeId(id), query), toWireBranch);
  }

  @Get('/:id/branches/places', 'listBranchPlaces', {
    guests: 'session',
    summary: { en: 'List where the branches of a chat differ', 'zh-CN': '列出对话各分支的分歧位置' },
    description: {
      en: 'One row for each place of the chat at which its branches differ, of the newest 500 branches.',
      'zh-CN': '对话中各分支出现分歧的每个位置一行，取最新的 500 个分支。',
    },
    query: ListQuery,
    answers: page('BranchPlace'),
  })
  async branchPlaces(@Param('id') id: string) {
    const places = await this.sessionService.listBranchPlaces(tenantOf(this.ctx), decodeId(id));
    const rows = listOrPage(places, queryOf(this.ctx, ListQuery), ({ runs }) => runs[0]?.runId ?? '');
    return encodePage(rows, place => place);
  }

  /** Only the owner and admins change who sees a session, whatever else the request changes. */
  private async changeAccess(sessionId: string, change: SharingChange): Promise<void> {
    await this.sessionAccess.assertMay(principalOf(this.ctx), sessionId, 'share');
    await this.sessionSharing.changeAccess(principalOf(this.ctx), sessionId, change);
  }

  private async showShared(session: SessionRecord) {
    if (session.owner === undefined) return toWireSession(session);
    const { members } = await this.sessionSharing.readAccess(session.tenantId, session.id);
    return { ...toWireSession(session), sharedWith: members.map(({ member }) => shownMember(member)) };
  }

  private get by(): string {
    return principalOf(this.ctx).keyName;
  }

  private sendCreated(session: SessionRecord, once: OncePerKey) {
    markReplay(this.ctx, once);
    this.ctx.status = 201;
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/sessions/${session.id}`);
    return toWireSession(session);
  }
}

const toSessionInput = ({ parameters, ...input }: Static<typeof SessionInput>) => ({
  ...input,
  parameters: parameters === undefined ? undefined : parameters && readRequestParameters(parameters),
});
