import type { HistoryMessage } from '../../api/rest_types';
import { MarkdownView } from '../../components/answer/markdown_view';
import { RelativeTime } from '../../components/basic/relative_time';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { ListState } from '../parts/list_state';
import { OpsLink } from '../parts/ops_link';
import { listMessages } from './session_api';
import '../../styles/markdown.css';
import './session_page.css';
import { sessionScreenTexts } from './session_texts';

/** The messages of one chat, to read only: of any tenant that the operator sees. Files of that tenant cannot be opened here. */
export function SessionPage({ sessionId }: { sessionId: string }) {
  const texts = sessionScreenTexts[useLocale()];
  const list = usePagedList<HistoryMessage>(sessionId, cursor => listMessages(sessionId, cursor));
  return (
    <>
      <p>
        <OpsLink screen="sessions">{texts.back}</OpsLink>
        {' · '}
        <OpsLink screen="runs" query={{ q: sessionId }}>
          {texts.allRuns}
        </OpsLink>
      </p>
      <p class="field-note">{texts.readOnly}</p>
      <ListState list={list}>
        <ol class="chat-reading" aria-label={texts.messages} data-testid="chat-reading">
          {list.rows.map(message => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      </ListState>
    </>
  );
}

function Message({ message: { role, content, toolCalls = [], imageUrls = [], createdAt, runId } }: { message: HistoryMessage }) {
  const texts = sessionScreenTexts[useLocale()];
  return (
    <li class="chat-message" data-role={role}>
      <p class="field-note">
        <strong>{texts.roles[role]}</strong> <RelativeTime iso={createdAt} />{' '}
        <OpsLink screen="runs" item={runId}>
          {texts.openRun}
        </OpsLink>
      </p>
      {role === 'assistant' ? content !== '' && <MarkdownView text={content} done hasFiles={false} /> : <p class="chat-text">{content}</p>}
      {toolCalls.map(({ toolCallId, name, arguments: given }) => (
        <code key={toolCallId} class="chat-call">{`${name} ${given}`}</code>
      ))}
      {imageUrls.length > 0 && <p class="field-note">{texts.images(imageUrls.length)}</p>}
    </li>
  );
}
