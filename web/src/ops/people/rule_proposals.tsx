import { DiffView } from '../../components/basic/diff_view';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { LoadNotice } from '../parts/load_notice';
import { ScopeButton } from '../parts/scope_button';
import { StatusTag } from '../parts/status_tag';
import { useAction } from '../parts/use_action';
import { useResource } from '../parts/use_resource';
import { ruleTexts } from './rule_texts';
import { decideProposal, listProposals, type RuleDecision, type RuleProposal } from './rules_api';

type Example = RuleProposal['simulation']['examples'][number];

/** Approval rules that follow from decisions, for admins of the tenant. Others see nothing. */
export function RuleProposals() {
  return useScope('admin') ? <Proposals /> : null;
}

function Proposals() {
  const texts = ruleTexts[useLocale()];
  const proposals = useResource('rules', listProposals);
  const { isBusy, run } = useAction();
  const decide = (id: string, decision: RuleDecision, done: string) =>
    run(async () => {
      await decideProposal(id, decision);
      proposals.reload();
    }, done);
  return (
    <section aria-labelledby="rule-proposals" data-testid="rules">
      <h2 id="rule-proposals">{texts.rules}</h2>
      <LoadNotice of={proposals} />
      {proposals.data?.length === 0 && <p class="field-note">{texts.nothing}</p>}
      {proposals.data?.map(row => (
        <Proposal key={row.id} row={row} isBusy={isBusy} onDecide={(decision, done) => decide(row.id, decision, done)} />
      ))}
    </section>
  );
}

interface ProposalProps {
  row: RuleProposal;
  isBusy: boolean;
  onDecide: (decision: RuleDecision, done: string) => void;
}

function Proposal({ row, isBusy, onDecide }: ProposalProps) {
  const texts = ruleTexts[useLocale()];
  const { rule, state, basedOn, simulation, diff } = row;
  const { allowed, asked, denied, examples } = simulation;
  return (
    <div class="panel" data-testid="rule" data-state={state} data-key={row.id}>
      <h3>
        <code>{rule.pattern ?? texts.everyCall}</code>{' '}
        <StatusTag tone={state === 'accepted' ? 'good' : 'calm'}>{texts.states[state]}</StatusTag>
      </h3>
      <p>{texts.allowed(rule.tool, basedOn)}</p>
      <p>{texts.effect(allowed, asked, denied)}</p>
      <details>
        <summary>{texts.details}</summary>
        <DiffView diff={diff} />
        <ul>
          {examples.map(example => (
            <ExampleRow key={`${example.at} ${example.executionId}`} example={example} />
          ))}
        </ul>
      </details>
      <ProposalActions state={state} isBusy={isBusy} onDecide={onDecide} />
    </div>
  );
}

function ProposalActions({ state, isBusy, onDecide }: Pick<ProposalProps, 'isBusy' | 'onDecide'> & { state: RuleProposal['state'] }) {
  const texts = ruleTexts[useLocale()];
  if (state === 'accepted')
    return (
      <ScopeButton scope="admin" isBusy={isBusy} testId="undo-rule" onClick={() => onDecide('undo', texts.undone)}>
        {texts.undo}
      </ScopeButton>
    );
  return (
    <span class="cell-actions">
      <ScopeButton scope="admin" isBusy={isBusy} testId="accept-rule" onClick={() => onDecide('accept', texts.accepted)}>
        {texts.accept}
      </ScopeButton>
      {state === 'open' && (
        <ScopeButton scope="admin" isBusy={isBusy} testId="dismiss-rule" onClick={() => onDecide('dismiss', texts.dismissed)}>
          {texts.dismiss}
        </ScopeButton>
      )}
    </span>
  );
}

function ExampleRow({ example: { before, after, args, executionId } }: { example: Example }) {
  const texts = ruleTexts[useLocale()];
  const missing = executionId === undefined ? texts.hidden : texts.long;
  return (
    <li>
      {texts.example(texts.decisions[before], texts.decisions[after])}: {args === undefined ? missing : <code>{JSON.stringify(args)}</code>}
    </li>
  );
}
