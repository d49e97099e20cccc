/** Records the model calls of runs: their hashes in the row of the run, and long texts as prompt parts, each once. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../port/clock';
import { type LlmAnswer, type LlmRequest, promptPartsOf } from '../../../port/llm';
import type { LogError } from '../../../port/logger';
import type { Redactor } from '../../../port/redactor';
import type { PromptPiece, RecordedCall, RunRecording } from '../../../port/run_recording';
import type { RunRecord } from '../../../port/store/runs';
import type { Store } from '../../../port/store/store';
import type { RunRecorder } from '../../../service/run/run_recorder';
import { SHARED_PART } from '../store/recording_records';
import { requestHash, shortHash, toolsHash, toolsText } from './request_hash';

export interface ReplayRecorderDeps {
  store: Store;
  clock: Clock;
  redactor: Pick<Redactor, 'redact'>;
  onError: LogError;
}

/** A longer text is stored as a prompt part. */
const MAX_INLINE_UNITS = 600;
const DAY_MS = 86_400_000;
const MAX_KNOWN_PARTS = 5_000;

type OpenRecording = RunRecording & { calls: RecordedCall[] };
type RunOfPart = Pick<RunRecord, 'tenantId' | 'sessionId'>;

export class ReplayRecorder implements RunRecorder {
  /** Run id -> recording of a run that executes here. */
  private readonly open = new Map<string, OpenRecording>();
  /** Parts that are stored, with the day on which this process stored each of them. */
  private readonly stored = new LRUCache<string, number>({ max: MAX_KNOWN_PARTS });

  constructor(private readonly deps: ReplayRecorderDeps) {}

  noteAnswer(run: RunRecord, request: LlmRequest, answer: LlmAnswer, hasChosenTools: boolean): void {
    // Tools that a program brings may hold its texts. Lists that were chosen for one session are deleted with it, or they would become more and more.
    const owner = hasChosenTools || run.caller?.tools.length ? run.sessionId : SHARED_PART;
    const recording = this.open.get(run.id) ?? this.begin(run, request, owner);
    const tools = this.keepTools(run, request, owner);
    const { usage, answeredBy, toolsAside } = answer;
    recording.calls.push({
      request: requestHash(request),
      tools: tools === recording.tools ? undefined : tools,
      finishReason: isUsual(answer) ? undefined : answer.finishReason,
      usage,
      answeredBy,
      toolsAside: toolsAside?.length ? toolsAside : undefined,
    });
  }

  recordingOf({ id }: RunRecord): RunRecording | undefined {
    return this.open.get(id);
  }

  /** Call it when the run does not execute here any more. */
  forgetRun({ id }: Pick<RunRecord, 'id'>): void {
    this.open.delete(id);
  }

  /** Deletes shared parts that no recording names any more. */
  async deleteUnusedParts(): Promise<void> {
    const { store, clock } = this.deps;
    await store.transaction('none', tx => tx.recordings.deleteUnusedParts(clock.now() - 2 * DAY_MS));
  }

  private begin(run: RunRecord, request: LlmRequest, owner: string): OpenRecording {
    const { thinkingLevel } = request;
    const recording = {
      prompt: this.keepPrompt(run, request, owner),
      tools: this.keepTools(run, request, owner),
      thinkingLevel: thinkingLevel === 'off' ? undefined : thinkingLevel,
      calls: [],
    };
    this.open.set(run.id, recording);
    return recording;
  }

  /** The first part of a prompt is the same for the same tools of an agent; the others hold memories and instructions of people. */
  private keepPrompt(run: RunRecord, { messages: [first] }: LlmRequest, owner: string): PromptPiece[] {
    if (first?.role !== 'system') return [];
    const [stable = { text: '' }, ...others] = promptPartsOf(first) ?? [{ text: first.content }];
    const rest = others.map(({ text }) => text).join('');
    return [
      { part: this.keepPart(run, { owner, hash: shortHash(stable.text), text: stable.text }) },
      rest.length <= MAX_INLINE_UNITS
        ? { text: this.deps.redactor.redact(rest) }
        : { part: this.keepPart(run, { owner: run.sessionId, hash: shortHash(rest), text: rest }) },
    ];
  }

  private keepTools(run: RunOfPart, { tools }: LlmRequest, owner: string): string {
    return this.keepPart(run, { owner, hash: toolsHash(tools), text: toolsText(tools) });
  }

  /** Stores a part that is not stored yet, and once a day the fact that it is used. Does not wait: a replay does without a part that is missing. */
  private keepPart({ tenantId, sessionId }: RunOfPart, { owner, hash, text }: { owner: string; hash: string; text: string }): string {
    const { store, clock, redactor, onError } = this.deps;
    const key = `${tenantId}/${owner}/${hash}`;
    const today = Math.floor(clock.now() / DAY_MS);
    if (this.stored.get(key) === today) return hash;
    this.stored.set(key, today);
    const part = {
      tenantId,
      owner,
      hash,
      sessionId: owner === SHARED_PART ? undefined : sessionId,
      text: redactor.redact(text),
      usedAt: today * DAY_MS,
    };
    store
      .transaction('none', tx => tx.recordings.putPart(part))
      .catch(thrown => {
        this.stored.delete(key);
        onError('a part of a prompt was not recorded', thrown, { sessionId });
      });
    return hash;
  }
}

const isUsual = ({ finishReason, message }: LlmAnswer): boolean => finishReason === (message.tool_calls?.length ? 'tool_calls' : 'stop');
