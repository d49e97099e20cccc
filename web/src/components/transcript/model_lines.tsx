/** Lines in an answer about what happened between the agent and its model, or to its files. */
import type { ChatController } from '../../chat/chat_controller';
import { formatCount } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import type { CompactedItem, FallbackItem, FileNoticeItem } from '../../state/view_types';
import { MarkdownView } from '../answer/markdown_view';
import { Icon } from '../basic/icon';
import { useKeptDetails } from '../basic/kept_state';
import { memo } from '../basic/memo';

/** Says that the model gets a summary of older messages; the summary folds open. */
export const CompactedLine = memo(({ item }: { item: CompactedItem }) => {
  const messages = useMessages();
  const locale = useLocale();
  const { beforeTokens, afterTokens, messages: count } = item;
  const isGiven = beforeTokens === undefined || afterTokens === undefined || count === undefined;
  return (
    <details class="reasoning compacted" data-testid="context-compacted" {...useKeptDetails(item.id)}>
      <summary>
        <Icon name="todo" />
        <span>
          {isGiven ? messages.summaryGiven : messages.compacted(formatCount(beforeTokens, locale), formatCount(afterTokens, locale))}
        </span>
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      <div class="compacted-summary">
        <p class="compacted-about">{isGiven ? messages.summaryGivenAbout : messages.compactedAbout(count)}</p>
        <MarkdownView text={item.summary} done />
      </div>
    </details>
  );
});

/** Says where the earlier text of a file is that two sessions wrote, or that the text of a file is lost. */
export const FileNoticeLine = memo(({ item }: { item: FileNoticeItem }) => {
  const messages = useMessages();
  return (
    <p class="model-line" data-testid="file-notice">
      <Icon name="alert" />
      <span>{item.keptAs === undefined ? messages.fileLost(item.path) : messages.fileConflict(item.path, item.keptAs)}</span>
    </p>
  );
});

interface FallbackLineProps {
  item: FallbackItem;
  /** True until the model has said something. */
  isOpen: boolean;
  controller: ChatController;
}

/** Names the model that answers, and why the others did not. */
export const FallbackLine = memo(({ item, isOpen, controller }: FallbackLineProps) => {
  const messages = useMessages();
  const models = useStore(controller.store, state => state.models);
  const nameOf = (id: string) => models.find(model => model.id === id)?.label ?? id;
  const reasons = item.failed.map(({ model, reason }) => messages.modelReason(nameOf(model), reason)).join(messages.listComma);
  return (
    <p class="model-line" data-testid="model-fallback">
      <Icon name="alert" />
      <span>{(isOpen ? messages.askedInstead : messages.answeredInstead)(nameOf(item.to), reasons)}</span>
    </p>
  );
});
