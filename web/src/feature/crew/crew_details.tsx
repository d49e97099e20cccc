import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { MarkdownView } from '../../components/answer/markdown_view';
import { useLocale, useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { messageUrl } from '../../platform/session_url';
import type { DelegateItem, PlainItem, Turn } from '../../state/view_types';
import { crewTexts } from './crew_texts';

export interface CrewDetailsProps {
  item: DelegateItem;
  turn: Turn | undefined;
  controller: ChatController;
  /** Shows one step of the member, like an item of the chat. */
  renderStep: (step: PlainItem, turn: Turn) => ComponentChildren;
}

type Loading = 'loading' | 'failed' | undefined;

/** Shows the whole task, every step of the member and its result. */
export function CrewDetails({ item, turn, controller, renderStep }: CrewDetailsProps) {
  const texts = crewTexts[useLocale()];
  const messages = useMessages();
  const loading = useSteps(controller, item, turn);
  const items = turn?.items ?? [];
  const hasResult = items.some(({ kind }) => kind === 'text');
  return (
    <div class="crew-details">
      <p class="part-title">{texts.task}</p>
      <p class="crew-whole-task">{item.task}</p>
      <p class="part-title">{texts.steps}</p>
      {loading === 'loading' && <p class="crew-note">{messages.loading}</p>}
      {loading === 'failed' && <p class="crew-note">{texts.stepsGone}</p>}
      {loading === undefined && items.length === 0 && <p class="crew-note">{texts.noSteps}</p>}
      {turn && items.length > 0 && (
        <div class="answer" data-testid="crew-items">
          {items.map(each =>
            // Open approvals stand at the top of the card. A member delegates nothing.
            each.kind === 'delegate' || (each.kind === 'approval' && each.status === 'pending') ? null : renderStep(each, turn),
          )}
        </div>
      )}
      {item.summary && !hasResult && (
        <>
          <p class="part-title">{texts.result}</p>
          <MarkdownView text={item.summary} done />
        </>
      )}
      <a
        class="crew-link"
        href={messageUrl(item.childSessionId)}
        data-testid="crew-open-chat"
        onClick={onPlainClick(() => controller.open(item.childSessionId))}
      >
        {texts.open}
      </a>
    </div>
  );
}

/** Loads the steps of a member that is done. */
function useSteps(controller: ChatController, item: DelegateItem, turn: Turn | undefined): Loading {
  const [failed, setFailed] = useState(false);
  const isNeeded = item.state !== 'open' && turn === undefined;
  useEffect(() => {
    if (isNeeded) controller.children.load(item).catch(() => setFailed(true));
  }, [controller, isNeeded, item]);
  if (!isNeeded) return undefined;
  return failed ? 'failed' : 'loading';
}
