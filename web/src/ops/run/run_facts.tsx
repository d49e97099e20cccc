import type { ComponentChildren } from 'preact';
import { memo } from '../../components/basic/memo';
import { formatCost, formatCount, formatDuration, formatExact } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { messageUrl } from '../../platform/session_url';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { LongId } from '../parts/long_id';
import { OpsLink } from '../parts/ops_link';
import { StatusTag, toneOfRun } from '../parts/status_tag';
import { useOps } from '../shared/ops_controller';
import { useDoorName, useOpsTexts } from '../shared/ops_words';
import { runTexts } from './run_texts';
import { errorIn, type RunFacts as Facts, type LiveRunRow } from './run_types';

interface FactsProps {
  run: Facts;
  /** The figures so far of a run that goes on. */
  live?: LiveRunRow;
}

/** The header of the page: each name leads to the runs that share it. */
export const RunFacts = memo(function RunFacts({ run, live }: FactsProps) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const ops = useOpsTexts();
  const doorName = useDoorName();
  const isOperator = useScope('operator');
  const { facts } = texts;
  return (
    <dl class="facts" data-testid="run-facts" data-status={run.status}>
      <Fact name={facts.state}>
        <StatusTag tone={toneOfRun(run.status)}>{ops.runStatus[run.status]}</StatusTag>
        {run.reason && <span class="cell-note">{texts.outcomes[run.reason] ?? run.reason}</span>}
        {run.error && <span class="cell-note bad">{errorIn(locale, run.error)}</span>}
      </Fact>
      <Fact name={facts.agent}>{filterLink('agent', run.agent)}</Fact>
      {run.model !== undefined && <Fact name={facts.model}>{run.model}</Fact>}
      <Fact name={facts.door}>{filterLink('door', run.door, doorName(run.door))}</Fact>
      {run.keyName !== undefined && <Fact name={facts.key}>{filterLink('key', run.keyName)}</Fact>}
      <Fact name={facts.tenant}>{run.tenantId}</Fact>
      {run.node !== undefined && (
        <Fact name={facts.node}>
          <LongId id={run.node} label={ops.copyNode} />
        </Fact>
      )}
      <Fact name={facts.session}>
        <ChatLink run={run} />
        {' · '}
        <OpsLink screen="runs" query={{ q: run.sessionId }}>
          {texts.sessionRuns}
        </OpsLink>
        {isOperator && (
          <>
            {' · '}
            <OpsLink screen="logs" query={{ run: run.runId }}>
              {texts.logLines}
            </OpsLink>
          </>
        )}
      </Fact>
      {run.parentRunId !== undefined && (
        <Fact name={facts.parent}>
          <OpsLink screen="runs" item={run.parentRunId}>
            {run.parentRunId}
          </OpsLink>
        </Fact>
      )}
      <UsageFacts run={run} live={live} />
    </dl>
  );
});

/** The chat page shows chats of its own tenant alone; others open to read. */
function ChatLink({ run }: { run: Facts }) {
  const texts = runTexts[useLocale()];
  const ownTenant = useStore(useOps().store, state => state.me?.tenant);
  if (ownTenant === undefined || run.tenantId === ownTenant)
    return <a href={messageUrl(run.sessionId, { runId: run.runId })}>{texts.openChat}</a>;
  return (
    <OpsLink screen="sessions" item={run.sessionId} testId="read-chat">
      {texts.readChat}
    </OpsLink>
  );
}

function UsageFacts({ run, live }: FactsProps) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const { facts } = texts;
  const { inputTokens, cachedTokens = 0, outputTokens, costUsd } = run.usage;
  const shownCost = live ? live.costUsd : costUsd;
  const count = (value: number) => formatCount(value, locale);
  return (
    <>
      <Fact name={facts.created}>{formatExact(run.createdAt, locale)}</Fact>
      <Fact name={facts.duration} to="#waterfall-heading">
        {run.endedAt === undefined ? texts.goesOn : formatDuration(Date.parse(run.endedAt) - Date.parse(run.createdAt), locale)}
      </Fact>
      <Fact name={facts.tokens} to="#waterfall-heading">
        {live ? texts.tokensSoFar(count(live.tokens)) : texts.tokensOf(count(inputTokens), count(cachedTokens), count(outputTokens))}
      </Fact>
      <Fact name={facts.cost} to="#waterfall-heading">
        {shownCost === undefined ? texts.unpriced : formatCost(shownCost, locale)}
      </Fact>
      {run.recoveries > 0 && (
        <Fact name={facts.recoveries} to="#log">
          {run.recoveries}
        </Fact>
      )}
    </>
  );
}

/** `to`: where the page lists what a number counts. */
function Fact({ name, to, children }: { name: string; to?: `#${string}`; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {to === undefined ? (
          children
        ) : (
          <a href={to} class="figure-link">
            {children}
          </a>
        )}
      </dd>
    </div>
  );
}

const filterLink = (name: string, value: string, text = value) => (
  <OpsLink screen="runs" query={{ [name]: value }}>
    {text}
  </OpsLink>
);
