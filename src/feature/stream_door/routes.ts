/** DOOR 6, Durable Streams: the log of a run as a read-only stream of JSON messages. */
import { Controller, Param } from '@midwayjs/core';
import type { Static } from '@sinclair/typebox';
import { closedSignal } from '../../controller/closed_signal';
import { toEntityTag, versionsOf } from '../../controller/entity_tags';
import { queryOf, tenantOf } from '../../controller/http_request';
import { RestController, routesWith } from '../../controller/route';
import { invalidField } from '../../errors';
import { InjectService } from '../../inject_service';
import { isTerminal } from '../../port/run_event';
import type { RunState } from '../../port/store/runs';
import type { RunService } from '../../service/run_log/run_service';
import type { StoredPage } from '../../service/run_log/stored_reader';
import type { ServiceSettings } from '../../service/service_settings';
import { decodeId } from '../../wire/decode';
import { StreamQuery } from './schemas';
import { answerSse } from './stream_events';
import { toJsonMessages } from './stream_messages';
import { nextCursor, seqOf, toOffset } from './stream_offset';

/** Milliseconds that a long poll waits for an event. */
const LONG_POLL_MS = 25_000;

const { Get } = routesWith({ scope: 'chat', tag: 'runs' });

@Controller('/streams')
export class StreamController extends RestController {
  @InjectService() runService!: RunService;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/runs/:id', 'readRunStream', {
    summary: { en: 'Read the events of a run as a Durable Stream', 'zh-CN': '以 Durable Stream 读取一个运行的事件' },
    description: {
      en: 'Follows the Durable Streams protocol, read-only. The messages are the stored events of the run, and Stream-Closed says that the run has ended. HEAD answers the end of the stream.',
      'zh-CN': '遵循 Durable Streams 协议，只读。消息是运行已存储的事件；Stream-Closed 表示运行已结束。HEAD 返回流的末尾位置。',
    },
    query: StreamQuery,
    answers: {
      200: {
        description: {
          en: 'A JSON array of events; Stream-Next-Offset says where to read on. With live=sse, data and control events',
          'zh-CN': '事件的 JSON 数组；Stream-Next-Offset 指明接着从哪里读。live=sse 时为 data 与 control 事件',
        },
        bytes: ['application/json', 'text/event-stream'],
      },
      204: {
        description: { en: 'The long poll brought no event, or the run has ended', 'zh-CN': '长轮询没有等到事件，或运行已结束' },
      },
      304: { description: { en: 'The answer still has the ETag of If-None-Match', 'zh-CN': '响应的 ETag 仍与 If-None-Match 相同' } },
    },
    errors: ['events_expired', 'rate_limited', 'store_unavailable'],
  })
  async read(@Param('id') id: string): Promise<void> {
    const query = queryOf(this.ctx, StreamQuery);
    if (query.live !== undefined && query.offset === undefined)
      throw invalidField('/offset', 'must be given with live.', '与 live 一起使用时必须给出。');
    const run = await this.runService.getRunState(tenantOf(this.ctx), decodeId(id));
    if (this.ctx.method === 'HEAD') return this.showEnd(run);
    const after = seqOf(query.offset ?? '-1', run.lastSeq);
    switch (query.live) {
      case 'long-poll':
        return this.poll(run, after, query);
      case 'sse':
        return this.watch(run, after, query);
      case undefined:
        return query.offset === 'now' ? this.showEnd(run) : this.catchUp(run, after);
    }
  }

  /** Answers no event and the end of the stream. */
  private showEnd({ lastSeq, status }: RunState): void {
    this.setPosition({ events: [], endSeq: lastSeq, isUpToDate: true, isEnded: isTerminal(status) });
    this.ctx.set('cache-control', 'no-store');
    this.ctx.body = toJsonMessages([]);
  }

  private async catchUp(run: RunState, after: number): Promise<void> {
    const reader = this.runService.openStoredReader(run);
    try {
      return this.answerPage(run, after, await reader.readPage(after));
    } finally {
      reader.stop();
    }
  }

  /** Waits for an event when there is none behind the offset. */
  private async poll(run: RunState, after: number, { cursor }: Static<typeof StreamQuery>): Promise<void> {
    this.runService.assertRoomForReader(run.sessionId);
    const reader = this.runService.openStoredReader(run);
    this.ctx.state.endStream = () => reader.stop();
    try {
      const page = await reader.readNext(after, AbortSignal.any([closedSignal(this.ctx), AbortSignal.timeout(LONG_POLL_MS)]));
      this.ctx.set('stream-cursor', nextCursor(Date.now(), cursor));
      if (page.events.length > 0) return this.answerPage(run, after, page);
      this.setPosition(page);
      this.ctx.set('cache-control', 'no-store');
      this.ctx.status = 204;
    } finally {
      reader.stop();
    }
  }

  private async watch(run: RunState, after: number, { cursor }: Static<typeof StreamQuery>): Promise<void> {
    this.runService.assertRoomForReader(run.sessionId);
    const reader = this.runService.openStoredReader(run);
    try {
      await answerSse(this.ctx, reader, { after, cursor, onError: this.serviceSettings.onError });
    } finally {
      reader.stop();
    }
  }

  /** A cache may keep the page for its caller alone, and asks each time whether the caller may still read it. */
  private answerPage(run: RunState, after: number, page: StoredPage): void {
    this.setPosition(page);
    const end = page.isEnded ? 'closed' : page.isUpToDate ? 'end' : 'part';
    const version = `${run.id}:${toOffset(after)}:${toOffset(page.endSeq)}:${end}`;
    // The tag is weak: it is the same with and without compression.
    this.ctx.set({ etag: `W/${toEntityTag(version)}`, 'cache-control': 'private, no-cache' });
    if (this.hasVersion(version)) this.ctx.status = 304;
    else this.ctx.body = toJsonMessages(page.events);
  }

  private hasVersion(version: string): boolean {
    const known = this.ctx.get('if-none-match');
    return known !== '' && versionsOf('If-None-Match', known).some(other => other === '*' || other === version);
  }

  private setPosition({ endSeq, isUpToDate, isEnded }: StoredPage): void {
    this.ctx.type = 'application/json';
    this.ctx.set('stream-next-offset', toOffset(endSeq));
    if (isUpToDate) this.ctx.set('stream-up-to-date', 'true');
    if (isEnded) this.ctx.set('stream-closed', 'true');
  }
}
