import { formatDuration } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ReasoningItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { useKeptDetails } from '../basic/kept_state';
import { memo } from '../basic/memo';

/** A shorter thought has no time. Milliseconds. */
const LEAST_MS = 1000;
/** Characters of the latest thought on a closed block. */
const GLIMPSE = 160;

/** Shows the thoughts of the model. Closed, it says how long they took, and while they go on their latest words. */
export const ReasoningBlock = memo(({ item }: { item: ReasoningItem }) => {
  const messages = useMessages();
  const locale = useLocale();
  const { done, text, startedAt, endedAt } = item;
  const ms = startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : 0;
  const title = ms >= LEAST_MS ? messages.thoughtFor(formatDuration(ms, locale)) : messages.thought;
  return (
    <details class="reasoning" data-testid="reasoning" data-state={done ? 'done' : 'running'} {...useKeptDetails(item.id)}>
      <summary>
        <Icon name="thought" />
        <span class={done ? '' : 'shimmer'}>{done ? title : messages.thinking}</span>
        {!done && (
          <span class="glimpse" aria-hidden="true" data-testid="glimpse">
            {/* The end stays in view, so the text grows from the right. */}
            <bdi>{text.slice(-GLIMPSE).replaceAll(/\s+/g, ' ')}</bdi>
          </span>
        )}
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      <div class="reasoning-text">{text}</div>
    </details>
  );
});
