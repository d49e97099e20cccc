/** Sends recordings to the transcription model. Neither the sound nor the text is stored. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Usage } from '../../port/llm';
import type { PriceList } from '../../port/price_list';
import type { Principal } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { TranscriptionPort } from '../../port/transcription';
import { toCallUsage } from '../../service/limits/call_usage';
import type { DayBudgets } from '../../service/limits/day_budgets';

/** The services of this feature, by the names under which its controllers inject them. */
export interface TranscriptionServices {
  transcriptionService: TranscriptionService;
}

interface TranscriptionDeps {
  /** Absent: the operator has named no transcription model. */
  model: TranscriptionPort | undefined;
  store: Pick<Store, 'read' | 'transaction'>;
  clock: Pick<Clock, 'now'>;
  priceList: Pick<PriceList, 'findCost'>;
  dayBudgets: Pick<DayBudgets, 'assertLeft'>;
}

export interface SentRecording {
  mediaType: string;
  /** The language that is spoken, such as `en` or `zh-CN`. */
  language?: string;
  body: AsyncIterable<Uint8Array>;
}

/** The most bytes of a recording: OpenAI takes no more. */
const MAX_RECORDING_BYTES = 25 * 1024 * 1024;
/** Recordings that a tenant sends at once, because each is held in memory whole. */
const MAX_AT_ONCE = 4;

/** Stands for the agent in the usage. */
const USED_BY = 'transcription';
const NO_TOKENS: Usage = { inputTokens: 0, outputTokens: 0 };

/** Types that servers know. A recorder of a browser may call sound a video. */
const AUDIO_TYPE = /^(?:audio\/[\w.+-]+|video\/(?:webm|mp4|mpeg))$/;

export class TranscriptionService {
  /** Tenant -> its recordings that are being transcribed. */
  private readonly open = new Map<string, number>();

  constructor(private readonly deps: TranscriptionDeps) {}

  /**
   * Resolves with what was said. Rejects `not_found` without a model, `unsupported_media_type`, `invalid_request` for an empty recording, `too_large`,
   * `rate_limited`, `quota_exceeded` when the budget of the day is used up, `model_*`, and with the reason of `signal`.
   */
  async transcribe(principal: Principal, { mediaType, language, body }: SentRecording, signal: AbortSignal): Promise<string> {
    const { model, store, dayBudgets } = this.deps;
    if (!model) throw new AppError('not_found', NO_MODEL);
    if (!AUDIO_TYPE.test(mediaType)) throw new AppError('unsupported_media_type', NO_AUDIO);
    const { tenantId } = principal;
    const count = this.open.get(tenantId) ?? 0;
    if (count >= MAX_AT_ONCE) throw new AppError('rate_limited', { retryAfterMs: 2_000 });
    this.open.set(tenantId, count + 1);
    try {
      await dayBudgets.assertLeft(store.read, principal);
      const bytes = await readWhole(body);
      const { text, usage } = await model.transcribe({ bytes, mediaType, language: language?.split('-')[0]?.toLowerCase() }, signal);
      await this.storeUsage(principal, model, usage);
      return text;
    } finally {
      this.close(tenantId);
    }
  }

  /** A call without a known price counts as unpriced, also when the server counts no tokens. */
  private async storeUsage(actor: Principal, { model, baseUrl }: TranscriptionPort, usage: Usage = NO_TOKENS): Promise<void> {
    const { store, clock, priceList } = this.deps;
    const costUsd = usage === NO_TOKENS ? undefined : priceList.findCost({ model, baseUrl }, usage);
    const call = toCallUsage({ actor, at: clock.now(), model, agent: USED_BY, usage: { ...usage, costUsd } });
    await store.transaction('none', tx => tx.usage.addCall(call));
  }

  private close(tenantId: string): void {
    const left = (this.open.get(tenantId) ?? 1) - 1;
    if (left === 0) this.open.delete(tenantId);
    else this.open.set(tenantId, left);
  }
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_RECORDING_BYTES) throw new AppError('too_large', TOO_LONG);
    pieces.push(piece);
  }
  if (length === 0) throw new AppError('invalid_request', EMPTY);
  return Buffer.concat(pieces, length);
}

const NO_MODEL = {
  message: 'This gateway has no transcription model: its operator can name one in NETA_TRANSCRIPTION_MODEL.',
  messageZh: '此网关没有语音转写模型：运维人员可在 NETA_TRANSCRIPTION_MODEL 中指定。',
};
const NO_AUDIO = {
  message: 'Send the recording with its type, such as content-type audio/wav.',
  messageZh: '发送录音时请注明类型，例如 content-type audio/wav。',
};
const TOO_LONG = { message: 'A recording may have at most 25 MiB.', messageZh: '录音最大 25 MiB。' };
const EMPTY = { message: 'The body must be the recording; it is empty.', messageZh: '请求体必须是录音，现为空。' };
