import { useLocale } from '../../i18n/language_context';
import { OpsLink } from '../parts/ops_link';
import { runsTexts } from './runs_texts';

/** Names a run by its agent and the end of its id, and leads to its page. */
export function RunName({ run: { runId, agent, parentRunId } }: { run: { runId: string; agent: string; parentRunId?: string } }) {
  const texts = runsTexts[useLocale()];
  return (
    <>
      <OpsLink screen="runs" item={runId} testId="run-link">
        {agent} <code>{runId.slice(-8)}</code>
      </OpsLink>
      {parentRunId !== undefined && <span class="cell-note">{texts.child}</span>}
    </>
  );
}
