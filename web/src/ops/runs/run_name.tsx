import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { OpsLink } from '../parts/ops_link';
import { useOps } from '../shared/ops_controller';
import './runs.css';
import { runsTexts } from './runs_texts';

interface NamedRun {
  runId: string;
  agent: string;
  tenantId: string;
  parentRunId?: string;
  firstWords?: string;
}

/** Names a run by the first words of its message, its agent and the end of its id, and leads to its page. Other tenants are named. */
export function RunName({ run: { runId, agent, parentRunId, firstWords, tenantId } }: { run: NamedRun }) {
  const texts = runsTexts[useLocale()];
  const ownTenant = useStore(useOps().store, state => state.me?.tenant);
  return (
    <>
      <OpsLink screen="runs" item={runId} testId="run-link">
        {agent} <code>{runId.slice(-8)}</code>
      </OpsLink>
      {firstWords && <span class="cell-note run-words">{firstWords}</span>}
      {tenantId !== ownTenant && <span class="cell-note">{texts.ofTenant(tenantId)}</span>}
      {parentRunId !== undefined && <span class="cell-note">{texts.child}</span>}
    </>
  );
}
