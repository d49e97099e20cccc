import { formatRelative } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { messageUrl } from '../../platform/session_url';
import { OpsLink } from '../parts/ops_link';
import { AnswerForm } from './answer_form';
import { ApprovalForm } from './approval_form';
import type { WaitingRow, WaitingTexts } from './people_api';
import { peopleTexts } from './people_texts';
import './people.css';

interface WaitingCardProps {
  row: WaitingRow;
  /** Undefined while they are being read. */
  texts: WaitingTexts | undefined;
  /** Whether it belongs to the tenant of the operator. */
  isOwn: boolean;
}

/** One question or approval, with the form that answers it. */
export function WaitingCard({ row, texts: known, isOwn }: WaitingCardProps) {
  const locale = useLocale();
  const texts = peopleTexts[locale];
  const { requestId, kind, tenantId, sessionId, runId, createdAt, expiresAt, connected, tool } = row;
  const now = new Date();
  return (
    <li class="panel waiting" data-testid="waiting-row" data-kind={kind} data-key={requestId}>
      <h2>
        {texts.kinds[kind]}
        {tool !== undefined && (
          <>
            {' '}
            <code>{tool}</code>
          </>
        )}
      </h2>
      <p class="row-facts">
        <span>{texts.asked(formatRelative(createdAt, now, locale))}</span>
        <span>{texts.expires(formatRelative(expiresAt, now, locale))}</span>
        <span>{texts.connected(connected)}</span>
        <OpsLink screen="runs" item={runId}>
          {texts.run}
        </OpsLink>
        <a href={messageUrl(sessionId, { runId })}>{texts.chat}</a>
      </p>
      {isOwn ? <Answering row={row} known={known} /> : <p class="field-note">{texts.otherTenant(tenantId)}</p>}
    </li>
  );
}

function Answering({ row: { requestId, kind }, known }: { row: WaitingRow; known: WaitingTexts | undefined }) {
  const texts = peopleTexts[useLocale()];
  if (known === undefined) return null;
  const question = known.questions.get(requestId);
  const approval = known.approvals.get(requestId);
  if (question) return <AnswerForm question={question} />;
  if (approval) return <ApprovalForm approval={approval} />;
  return <p class="field-note">{kind === 'approval' ? texts.cannotDecide : texts.noText}</p>;
}
