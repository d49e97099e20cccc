/** Reads responses for their callers: as an object, as a stream of events, and the items of their input. */
import type { Context } from '@midwayjs/koa';
import type { Static } from '@sinclair/typebox';
import { AppError, invalidField } from '../../../errors';
import type { RunRecord } from '../../../port/store/runs';
import type { ImageService } from '../../../service/image/image_service';
import type { RunService } from '../../../service/run_log/run_service';
import { ResponseEventStream } from './response_event_stream';
import type { ResponseObject, ResponseSettings } from './response_object';
import { ResponseProjection } from './response_projection';
import type { InputItemsQuery } from './response_schemas';
import type { ResponseService } from './response_service';
import type { ResponseRecord } from './store/response_records';
import { toInputItems, toNewResponse, toWireResponse } from './wire_response';

const DEFAULT_ITEMS = 20;
const MAX_ITEMS = 100;
const EVENTS_PER_READ = 1_000;

type InputItemRow = ReturnType<typeof toInputItems>[number];

interface StreamStart {
  response: ResponseRecord;
  /** The last number that the reader has. */
  after?: number;
}

export class ResponseReader {
  constructor(private readonly deps: { responses: ResponseService; runs: RunService; images: ImageService }) {}

  /** Returns the response as it stands now. Reasoning is read from the log as long as the log is kept. */
  async readResponse(run: RunRecord, response: ResponseRecord): Promise<ResponseObject> {
    const messages = await this.deps.responses.listMessages(run);
    const wire = toWireResponse(run, response, messages);
    if (!showsReasoning(response) || run.eventsExpired) return wire;
    const projection = createProjection(run, { response, after: Number.POSITIVE_INFINITY });
    await this.project(projection, run, run.lastSeq);
    return { ...wire, output: projection.snapshot().output };
  }

  openStream(ctx: Context, run: RunRecord, start: StreamStart): ResponseEventStream {
    const { tenantId, sessionId, id: runId } = run;
    const request = { tenantId, sessionId, after: { runId, seq: 0 }, onlyRun: true };
    return new ResponseEventStream(ctx, createProjection(run, start), sink => this.deps.runs.subscribe(request, sink));
  }

  /** Rejects `events_expired` when the events are no longer kept, and for a number that a crash may have taken back and given to another event. */
  async assertResumable(run: RunRecord, response: ResponseRecord, after = -1): Promise<void> {
    if (run.eventsExpired) throw new AppError('events_expired');
    if (run.recoveredAtSeq === undefined || after < 0 || run.interaction.publishes === 'stored') return;
    const projection = createProjection(run, { response, after: Number.POSITIVE_INFINITY });
    await this.project(projection, run, run.recoveredAtSeq);
    if (after < projection.nextSequenceNumber) return;
    throw new AppError('events_expired', {
      param: '/starting_after',
      message: 'The gateway restarted and this event may be lost. Read the stream again without starting_after.',
      messageZh: '网关重启过，这个事件可能已丢失。请不带 starting_after 重新读取事件流。',
    });
  }

  /** Rejects `invalid_request` for an `after` that is not one of the items, and for a `limit` beyond 100. */
  async listInputItems(
    run: RunRecord,
    { input }: ResponseRecord,
    { limit = String(DEFAULT_ITEMS), order = 'desc', after }: Static<typeof InputItemsQuery>,
  ) {
    const items = toInputItems(run, input);
    if (order === 'desc') items.reverse();
    const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) throw invalidField('/after', 'must be the id of an input item.', '必须是某个输入条目的 id。');
    const count = Number(limit);
    if (count < 1 || count > MAX_ITEMS) throw invalidField('/limit', `must be 1 to ${MAX_ITEMS}.`, `必须在 1 到 ${MAX_ITEMS} 之间。`);
    const end = start + count;
    const data = await Promise.all(items.slice(start, end).map(item => this.withImages(run, item)));
    return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: end < items.length };
  }

  /** Images are stored by their ids; callers get the data URLs that they sent. */
  private async withImages({ tenantId, sessionId }: RunRecord, item: InputItemRow): Promise<InputItemRow> {
    const { content } = item;
    if (!Array.isArray(content)) return item;
    const parts = content.map(async (part: { image_url?: unknown }) => {
      const id = part.image_url;
      if (typeof id !== 'string' || !id.startsWith('img_')) return part;
      const { mediaType, bytes } = await this.deps.images.getImage(tenantId, sessionId, id);
      return { ...part, image_url: `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}` };
    });
    return { ...item, content: await Promise.all(parts) };
  }

  /** Reads the log in pages, up to an event. */
  private async project(projection: ResponseProjection, run: RunRecord, through: number): Promise<void> {
    for (let seq = 0; seq < through; ) {
      const { events } = await this.deps.runs.listEvents(run, { seq, isStored: true }, Math.min(EVENTS_PER_READ, through - seq));
      projection.project(events);
      const last = events.at(-1)?.seq;
      if (last === undefined) return;
      seq = last;
    }
  }
}

function createProjection(run: RunRecord, { response, after }: StreamStart): ResponseProjection {
  return new ResponseProjection({
    runId: run.id,
    response: toNewResponse(run, response),
    showsReasoning: showsReasoning(response),
    after,
  });
}

/** The settings are stored as they were read. */
const showsReasoning = ({ settings }: ResponseRecord): boolean => (settings as ResponseSettings).reasoning.summary !== null;
