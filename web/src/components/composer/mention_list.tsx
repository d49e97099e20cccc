import { useMessages } from '../../i18n/language_context';
import { Icon } from '../basic/icon';
import type { Mention } from './use_mention';

export const MENTION_LIST = 'mention-list';
export const mentionRowId = (index: number): string => `mention-${index}`;

/** The files that complete a path in the message field. The field keeps the focus. */
export function MentionList({ mention }: { mention: Mention }) {
  const messages = useMessages();
  if (mention.rows.length === 0) return null;
  return (
    <div id={MENTION_LIST} class="mention-list" role="listbox" aria-label={messages.mentionList} data-testid="mention-list">
      {mention.rows.map((row, index) => (
        <div
          key={row.path}
          id={mentionRowId(index)}
          class="mention-row"
          role="option"
          tabIndex={-1}
          aria-selected={index === mention.chosen}
          data-testid="mention-row"
          // A click would take the focus from the field.
          onMouseDown={event => {
            event.preventDefault();
            mention.take(row);
          }}
        >
          <Icon name={row.type === 'directory' ? 'list_dir' : 'read_file'} />
          {row.path}
        </div>
      ))}
    </div>
  );
}
