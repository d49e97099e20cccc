/** Prepares the compaction of runs and stores their summaries. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import type { ChatMessage, LlmPort } from '../../port/llm';
import type { LogError } from '../../port/logger';
import type { MessagePlace } from '../../port/store/messages';
import { isSummarised } from '../../port/store/summaries';
import type { TokenCounter } from '../../port/token_counter';
import type { AgentRunParams } from '../../runtime/agent_run';
import type { WrittenSummary } from '../../runtime/compaction/compaction_params';
import { TokenMeter } from '../../runtime/compaction/token_meter';
import { toHistorySummary } from '../../runtime/compaction/visible_history';
import type { HistoryCache } from '../session/history_cache';
import type { RunTurn } from './run_turn';

export interface RunCompactionDeps {
  clock: Clock;
  llm: Pick<LlmPort, 'info'>;
  tokenCounter: TokenCounter;
  histories: HistoryCache;
  onError: LogError;
  /** Share of the context window that a request may fill before older turns are summarised; 0: never. */
  compactAt: number;
}

const MAX_SESSIONS = 1_000;
/** Milliseconds until a session whose summary failed tries again. Each failure in a row doubles them. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;

/** State after failed summaries: the number of failures in a row, and the time of the next try in milliseconds since 1970. */
interface Pause {
  failures: number;
  until: number;
}

export class RunCompaction {
  /** Token meters by session and model: they have learnt from the usage in the answers. */
  private readonly meters = new LRUCache<string, TokenMeter>({ max: MAX_SESSIONS });
  /** Pauses by session and model: a failed summary costs a model call and reads the whole history. */
  private readonly pauses = new LRUCache<string, Pause>({ max: MAX_SESSIONS });

  constructor(private readonly deps: RunCompactionDeps) {}

  /** `history`: the valid history made from the messages of the turn, before the loop adds to it. */
  paramsFor(turn: RunTurn, history: readonly ChatMessage[]): Pick<AgentRunParams, 'turnStart' | 'summary' | 'compaction'> {
    const { run, summary, messages } = turn;
    const { compactAt: share, onError, clock } = this.deps;
    const key = this.keyOf(turn);
    const logFailure = (thrown: unknown) =>
      onError('a conversation was not summarised', thrown, { runId: run.id, sessionId: run.sessionId });
    // Places of messages, computed on first use, because few runs need them.
    let places: ReadonlyMap<ChatMessage, MessagePlace> | undefined;
    const placeOfMessage = (message: ChatMessage) => {
      places ??= new Map(messages.map(row => [row.message, row]));
      return places.get(message);
    };
    const isCovered = (message: ChatMessage) => {
      const place = placeOfMessage(message);
      return summary !== undefined && place !== undefined && isSummarised(place, summary);
    };
    // A copy, because the loop adds to the history.
    const placeOf = placeFinder(turn, [...history], placeOfMessage);
    const own = new Set(messages.filter(({ runOrdinal }) => runOrdinal === run.ordinal).map(({ message }) => message));
    const turnStart = history.findIndex(message => own.has(message));
    return {
      turnStart: turnStart === -1 ? history.length : turnStart,
      summary: summary && toHistorySummary(summary.text, stepAfter(history, history.findLastIndex(isCovered)), run.locale),
      compaction:
        share > 0
          ? {
              share,
              meter: this.meterFor(key, turn),
              hasFailed: clock.now() < (this.pauses.get(key)?.until ?? 0),
              save: async (written: WrittenSummary) => {
                await this.save(turn, written, placeOf);
                this.pauses.delete(key);
              },
              onCountFailed: logFailure,
              onSummaryFailed: (thrown: unknown) => {
                this.pause(key);
                logFailure(thrown);
              },
            }
          : undefined,
    };
  }

  private keyOf({ run, model }: RunTurn): string {
    return `${run.tenantId}/${run.sessionId}/${model ?? this.deps.llm.info.model}`;
  }

  private pause(key: string): void {
    const failures = (this.pauses.get(key)?.failures ?? 0) + 1;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    this.pauses.set(key, { failures, until: this.deps.clock.now() + pauseMs });
  }

  private meterFor(key: string, { model: chosen }: RunTurn): TokenMeter {
    const { llm, tokenCounter } = this.deps;
    const model = chosen ?? llm.info.model;
    const known = this.meters.get(key);
    if (known) return known;
    const meter = new TokenMeter((texts, signal) => tokenCounter.countTokens(model, texts, signal));
    this.meters.set(key, meter);
    return meter;
  }

  /** One transaction stores the event and the summary, so a crash leaves both or neither. */
  private async save({ run, writer }: RunTurn, written: WrittenSummary, placeOf: (index: number) => MessagePlace): Promise<void> {
    const { clock, histories } = this.deps;
    const { text, upTo, ...counts } = written;
    const { runOrdinal, position } = placeOf(upTo - 1);
    const { tenantId, sessionId } = run;
    const summary = { tenantId, sessionId, runOrdinal, position, text, createdAt: clock.now() };
    await writer.record({ type: 'context_compacted', data: { ...counts, summary: text } }, undefined, tx => tx.summaries.put(summary));
    histories.addSummary(summary);
  }
}

/** Returns the index behind the results that follow the message at `index`: calls and results stay together. */
function stepAfter(history: readonly ChatMessage[], index: number): number {
  let next = index + 1;
  while (history[next]?.role === 'tool') next += 1;
  return next;
}

/** Returns where the message at an index of the growing history is stored. Messages that the loop adds are stored one behind the other. */
function placeFinder(
  { run, projection }: RunTurn,
  history: readonly ChatMessage[],
  placeOfMessage: (message: ChatMessage) => MessagePlace | undefined,
): (index: number) => MessagePlace {
  const count = history.length;
  return index => {
    if (index >= count) return { runOrdinal: run.ordinal, position: projection.nextPosition + index - count };
    const known = history.slice(0, index + 1).findLast(placeOfMessage);
    return (known && placeOfMessage(known)) ?? { runOrdinal: run.ordinal, position: 0 };
  };
}
