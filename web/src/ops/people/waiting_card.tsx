import { formatRelative } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { messageUrl } from '../../platform/session_url';
import { useStore } from '../../platform/store';
import { LoadNotice } from '../parts/load_notice';
import { OpsLink } from '../parts/ops_link';
import { useResource } from '../parts/use_resource';
import { useOps } from '../shared/ops_controller';
import { AnswerForm } from './answer_form';
import { ApprovalForm } from './approval_form';
import { readQuestion, type WaitingRow } from './people_api';
import { peopleTexts } from './people_texts';
import './people.css';

/** One question or approval, with the form that answers it. */
export function WaitingCard({ row }: { row: WaitingRow }) {
  const locale = useLocale();
  const texts = peopleTexts[locale];
  const { requestId, kind, tenantId, sessionId, runId, createdAt, expiresAt, connected, tool } = row;
  const now = new Date();
  const ownTenant = useStore(useOps().store, state => state.me?.tenant);
  const isOwn = tenantId === ownTenant;
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
        {isOwn ? <a href={messageUrl(sessionId, { runId })}>{texts.chat}</a> : <span>{texts.tenant(tenantId)}</span>}
      </p>
      <Answering requestId={requestId} />
    </li>
  );
}

/** Reads the text, which needs another scope than the list, and shows the form that fits. */
function Answering({ requestId }: { requestId: string }) {
  const waiting = useResource(requestId, () => readQuestion(requestId));
  const { question, approval } = waiting.data ?? {};
  if (question) return <AnswerForm question={question} />;
  return approval ? <ApprovalForm approval={approval} /> : <LoadNotice of={waiting} />;
}
