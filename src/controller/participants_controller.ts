/** DOOR 2, the people who take part in a session. */
import { Controller, Param } from '@midwayjs/core';
import { invalidField } from '../errors';
import { InjectService } from '../inject_service';
import type { SessionMember } from '../port/store/session_access';
import { shownMember } from '../service/access/member_names';
import type { SessionAccess } from '../service/access/session_access';
import type { PresentPerson } from '../service/access/session_notice';
import type { SessionPresence } from '../service/access/session_presence';
import type { SessionSharing } from '../service/access/session_sharing';
import { toIsoTime } from '../utils/iso_time';
import { assertScope } from '../wire/assert_scope';
import { decodeId } from '../wire/decode';
import { bodyOf, encodePage, principalOf, queryOf, tenantOf } from './http_request';
import { listOrPage } from './list_pages';
import { done, RestController, routesWith } from './route';
import { ListQuery } from './schemas/common';
import { ParticipantRequest } from './schemas/session_schemas';

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: 'sessions' });

@Controller('/api/v1/sessions')
export class ParticipantsController extends RestController {
  @InjectService() sessionSharing!: SessionSharing;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() sessionPresence!: SessionPresence;

  @Get('/:id/participants', 'listParticipants', {
    summary: { en: 'List who takes part in a session, and who looks at it now', 'zh-CN': '列出会话的参与者，以及正在查看的人' },
    description: {
      en: 'The owner is no participant: GET /sessions/{id} names the owner. Whoever follows the session over a socket looks at it.',
      'zh-CN': '所有者不是参与者：GET /sessions/{id} 会给出所有者。通过套接字关注该会话的人即为正在查看。',
    },
    query: ListQuery,
    answers: done('ParticipantPage'),
  })
  async list(@Param('id') id: string) {
    const session = { tenantId: tenantOf(this.ctx), sessionId: decodeId(id) };
    const { members } = await this.sessionSharing.readAccess(session.tenantId, session.sessionId);
    const people = await this.sessionPresence.listPeople(session);
    const rows = listOrPage(members, queryOf(this.ctx, ListQuery), ({ member }) => member);
    const known = new Set(members.map(({ member }) => member));
    return {
      ...encodePage(rows, member => ({ ...toWireParticipant(member), ...presenceOf(member, people) })),
      looking: people.filter(({ handle }) => !known.has(handle)),
    };
  }

  @Post('/:id/participants', 'putParticipant', {
    summary: { en: 'Give a person a part in a session', 'zh-CN': '让一个人参与会话' },
    description: {
      en: 'By the owner or a driver. A driver writes, steers and cancels; an approver answers questions and decides approvals; a watcher reads. A private session becomes a shared one. Another role for the same person takes the place of the earlier one. With handOver a driver gives the chat to another one and watches from then on; the owner stays the owner.',
      'zh-CN':
        '由所有者或 driver 操作。driver 发消息、引导和取消；approver 回答问题并审批；watcher 只能阅读。私有会话会变为共享。对同一个人再次指定角色会替换之前的角色。使用 handOver 时，driver 把对话移交给他人，自己变为 watcher；所有者始终是所有者。',
    },
    session: 'invite',
    body: ParticipantRequest,
    answers: { 201: { description: { en: 'The person takes part', 'zh-CN': '此人已参与' }, json: 'Participant' } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async put(@Param('id') id: string) {
    const { person, role, handOver } = bodyOf(this.ctx, ParticipantRequest);
    if (handOver && role !== 'driver') throw invalidField('/handOver', 'needs the role driver.', '需要角色 driver。');
    const member = await this.sessionSharing.putParticipant(principalOf(this.ctx), decodeId(id), {
      name: person,
      role,
      handsOver: handOver,
    });
    this.ctx.status = 201;
    return toWireParticipant(member);
  }

  @Delete('/:id/participants/:person', 'removeParticipant', {
    summary: { en: 'End the part of a person in a session', 'zh-CN': '结束一个人在会话中的参与' },
    description: {
      en: 'By the owner or a driver; everybody may leave. What the person reads of the session now ends at once.',
      'zh-CN': '由所有者或 driver 操作；任何人都可以自己退出。此人正在读取的内容会立即结束。',
    },
    scope: 'chat:read',
    session: 'look',
    answers: { 204: { description: { en: 'The person takes no part any more', 'zh-CN': '此人不再参与' } } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async remove(@Param('id') id: string, @Param('person') person: string) {
    const principal = principalOf(this.ctx);
    const sessionId = decodeId(id);
    const isOwn = person === principal.keyName || person === principal.keyId;
    if (!isOwn) {
      await this.sessionSharing.readAccess(principal.tenantId, sessionId);
      await this.sessionAccess.assertMay(principal, sessionId, 'invite');
      assertScope(principal, 'chat');
    }
    await this.sessionSharing.removeParticipant(principal, sessionId, person);
    this.ctx.status = 204;
  }
}

function presenceOf({ member }: SessionMember, people: readonly PresentPerson[]) {
  const person = people.find(({ handle }) => handle === member);
  return { present: person !== undefined, typing: person?.typing };
}

const toWireParticipant = ({ member, role, addedBy, addedAt }: SessionMember) => ({
  person: shownMember(member),
  role,
  addedBy,
  addedAt: toIsoTime(addedAt),
});
