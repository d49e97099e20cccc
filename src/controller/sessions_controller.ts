/** DOOR 2, sessions and their messages. */
import { Controller, Del, Get, Inject, Param, Patch, Post } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { Type } from '@sinclair/typebox';
import type { SessionService } from '../service/session_service';
import { createDecoder, decodeId, ID_PATTERN } from '../utils/decode';
import { toWireMessage, toWireSession } from '../utils/wire_records';
import { bodyOf, checkMetadata, decodePage, encodePage, Metadata, pageOf, tenantOf } from './http_request';

const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high'] as const;

export const SessionInput = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 200 })),
    agent: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])),
    thinkingLevel: Type.Optional(Type.Union(THINKING_LEVELS.map(level => Type.Literal(level)))),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false, examples: [{ title: 'Weekly report' }] },
);

export const ForkRequest = Type.Pick(SessionInput, ['title'], { additionalProperties: false, examples: [{ title: 'Another way' }] });

const decodeFork = createDecoder(ForkRequest);
const decodeInput = createDecoder(SessionInput);

@Controller('/api/v1/sessions')
export class SessionsController {
  @Inject()
  ctx!: Context;
  @Inject()
  sessionService!: SessionService;

  @Get('/')
  async list() {
    const page = pageOf(decodePage({ ...this.ctx.query }));
    return encodePage(await this.sessionService.list(tenantOf(this.ctx), page), toWireSession);
  }

  @Post('/')
  async create() {
    const input = decodeInput(bodyOf(this.ctx));
    checkMetadata(input);
    const session = await this.sessionService.create(tenantOf(this.ctx), input);
    this.ctx.status = 201;
    this.ctx.set('location', `/api/v1/sessions/${session.id}`);
    return toWireSession(session);
  }

  @Get('/:id')
  async get(@Param('id') id: string) {
    return toWireSession(await this.sessionService.get(tenantOf(this.ctx), decodeId(id)));
  }

  @Patch('/:id')
  async update(@Param('id') id: string) {
    const input = decodeInput(bodyOf(this.ctx));
    checkMetadata(input);
    return toWireSession(await this.sessionService.update(tenantOf(this.ctx), decodeId(id), input));
  }

  @Del('/:id')
  async remove(@Param('id') id: string) {
    await this.sessionService.remove(tenantOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Get('/:id/messages')
  async messages(@Param('id') id: string) {
    const page = pageOf(decodePage({ ...this.ctx.query }));
    return encodePage(await this.sessionService.messages(tenantOf(this.ctx), decodeId(id), page), toWireMessage);
  }

  @Post('/:id/fork')
  async fork(@Param('id') id: string) {
    const session = await this.sessionService.fork(tenantOf(this.ctx), decodeId(id), decodeFork(bodyOf(this.ctx)));
    this.ctx.status = 201;
    return toWireSession(session);
  }
}
