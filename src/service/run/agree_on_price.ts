/** Asks a person whether a run may cost what it will likely cost, before it begins to work. */
import type { Clock } from '../../port/clock';
import type { QuestionRecord } from '../../port/store/questions';
import type { PriceQuestion, RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { inLocale } from '../../tools/common';
import { priceNotAgreed, shownUsd } from '../limits/run_price';
import type { QuestionService } from '../question/question_service';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { RunCancelled } from './finish_run';
import { shownWriter } from './message_writer';
import { type RunTurn, waitForPerson } from './run_turn';

const YES = /^\s*(?:1|yes|y|ok|continue|继续|是|好|好的)[\s.!。！]*$/i;

/**
 * Resolves when the person has agreed. Throws RunCancelled after any other answer, and `price_not_agreed` without
 * one. A question that was asked before the run was interrupted is not asked again.
 */
export async function agreeOnPrice(
  { questionService, store, clock }: { questionService: QuestionService; store: Store; clock: Clock },
  turn: RunTurn,
  price: PriceQuestion,
): Promise<void> {
  const { run, writer, handle, open } = turn;
  const { signal } = handle;
  const known =
    run.epoch > 1
      ? await retryWhileStoreUnavailable(
          clock,
          () => findAsked(store, run),
          () => signal.throwIfAborted(),
        )
      : undefined;
  const stored = known && (open.some(({ id }) => id === known.id) ? 'open' : 'ended');
  const question = known ?? newPriceQuestion(questionService, run, price);
  const outcome = await waitForPerson(turn, () => questionService.askAndWait(run, writer, { question, stored, signal }));
  signal.throwIfAborted();
  if (outcome.status !== 'answered') throw priceNotAgreed(price);
  if (!YES.test(outcome.answer)) throw new RunCancelled(shownWriter(outcome.decidedBy));
}

/** The question about the price is the only one of a run that belongs to no tool call and is waited for. */
export const isPriceQuestion = ({ kind, mode, toolCallId }: QuestionRecord): boolean =>
  kind === 'clarification' && mode === 'wait' && toolCallId === undefined;

async function findAsked({ read }: Store, { tenantId, id: runId }: RunRecord): Promise<QuestionRecord | undefined> {
  const { data } = await read.questions.list(tenantId, { runId, kind: 'clarification' }, { limit: 1 });
  return data.find(isPriceQuestion);
}

function newPriceQuestion(questionService: QuestionService, run: RunRecord, { costUsd, ms, basedOn }: PriceQuestion): QuestionRecord {
  const range = (low: string, high: string) => (low === high ? low : `${low}–${high}`);
  const cost = range(shownUsd(costUsd.p50), shownUsd(costUsd.p90));
  const seconds = range(shownSeconds(ms.p50), shownSeconds(ms.p90));
  const question = inLocale(
    run,
    `This run will likely cost ${cost} and take ${seconds} s, as ${basedOn} similar runs did. Continue?`,
    `根据 ${basedOn} 个类似的运行，此运行预计花费 ${cost}，用时 ${seconds} 秒。要继续吗？`,
  );
  const choices = [inLocale(run, 'Continue', '继续'), inLocale(run, 'Stop', '停止')];
  const { clarifyTimeoutMs: timeoutMs } = run.interaction;
  return questionService.newQuestion(run, { kind: 'clarification', mode: 'wait', question, choices, timeoutMs });
}

const shownSeconds = (ms: number): string => String(Math.max(1, Math.round(ms / 1_000)));
