import { useMessages } from '../../i18n/language_context';
import type { ReasoningItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { memo } from '../basic/memo';

export const ReasoningBlock = memo(({ item }: { item: ReasoningItem }) => {
  const messages = useMessages();
  return (
    <details class="reasoning" data-testid="reasoning" data-state={item.done ? 'done' : 'running'}>
      <summary>
        <Icon name="thought" />
        <span class={item.done ? '' : 'shimmer'}>{item.done ? messages.thought : messages.thinking}</span>
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      <div class="reasoning-text">{item.text}</div>
    </details>
  );
});
