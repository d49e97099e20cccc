import type { ChatController } from '../../chat/chat_controller';
import { formatCost, formatCount, formatDuration, formatExact, formatWhen } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { useStore } from '../../platform/store';
import { findModel } from '../../state/app_state';
import { useScope } from '../../state/scope_context';
import { cachedPercent, sumUsage } from '../../state/usage';
import type { Turn, Usage } from '../../state/view_types';

interface TurnReceiptProps {
  turn: Turn;
  controller: ChatController;
}

/** Says when an answer was given, how long it took, and what it used. */
export function TurnReceipt({ turn, controller }: TurnReceiptProps) {
  const messages = useMessages();
  const locale = useLocale();
  const isKnown = useStore(controller.store, state => state.me !== undefined);
  const maySeeRuns = useScope('ops:read') && isKnown;
  const { startedAt, endedAt, usage, runId } = turn;
  const tools = turn.items.filter(({ kind }) => kind === 'tool').length;
  const duration = startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : undefined;
  return (
    <span class="receipt" data-testid="receipt">
      {endedAt && (
        <time dateTime={endedAt} title={formatExact(endedAt, locale)}>
          {formatWhen(endedAt, new Date(), locale)}
        </time>
      )}
      {duration !== undefined && <span>{formatDuration(duration, locale)}</span>}
      {tools > 0 && <span>{messages.toolCount(tools)}</span>}
      {usage && usage.inputTokens + usage.outputTokens > 0 && <UsageFacts usage={usage} isDemo={turn.demo === true} />}
      {maySeeRuns && runId && <a href={`${ROOT}ops/runs/${encodeURIComponent(runId)}`}>{messages.openRun}</a>}
    </span>
  );
}

/** Shows the tokens with the share that came from the cache of the model server, and the cost. */
function UsageFacts({ usage, isDemo }: { usage: Usage; isDemo: boolean }) {
  const messages = useMessages();
  const locale = useLocale();
  const { inputTokens, outputTokens, costUsd } = usage;
  const share = cachedPercent(usage);
  return (
    <>
      <span data-testid="usage">
        {messages.usage(formatCount(inputTokens, locale), formatCount(outputTokens, locale))}
        {share > 0 && ` (${messages.cachedShare(share)})`}
      </span>
      {!isDemo && <span data-testid="cost">{costUsd === undefined ? messages.unpriced : formatCost(costUsd, locale)}</span>}
    </>
  );
}

/** Says what the answers of the chat used together, and how full the context window of the model is. */
export function ChatTotal({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const locale = useLocale();
  const turns = useStore(controller.store, state => state.view.turns);
  const isPart = useStore(controller.store, state => state.hasEarlierTurns);
  const contextWindow = useStore(controller.store, state => findModel(state)?.contextWindow);
  const used = turns.findLast(turn => turn.contextTokens !== undefined)?.contextTokens;
  const answers = turns.filter(turn => turn.usage !== undefined);
  const { tokens, costUsd } = sumUsage(answers);
  if (tokens === 0) return null;
  const cost = costUsd === undefined ? '' : ` · ${formatCost(costUsd, locale)}`;
  const percent = used !== undefined && contextWindow ? Math.min(100, Math.round((100 * used) / contextWindow)) : undefined;
  return (
    <p class="chat-total" data-testid="chat-total">
      {answers.length > 1 && (
        <span>
          {messages.chatTotal(answers.length, formatCount(tokens, locale), isPart)}
          {cost}
        </span>
      )}
      {percent !== undefined && contextWindow && (
        <span class="context-meter" title={messages.contextHint}>
          <progress value={percent} max={100} aria-label={messages.contextUsed(percent, formatCount(contextWindow, locale))} />
          <span data-testid="context-used">{messages.contextUsed(percent, formatCount(contextWindow, locale))}</span>
        </span>
      )}
    </p>
  );
}
