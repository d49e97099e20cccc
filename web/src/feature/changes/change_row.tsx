import type { FileChange } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { DiffView } from '../../components/basic/diff_view';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { labelOf } from '../../components/calls/tool_label';
import { UndoPart, useUndo } from '../../components/transcript/undo_part';
import { useLocale, useMessages } from '../../i18n/language_context';
import { changeStateOf } from '../../state/file_changes';
import { changesTexts } from './changes_texts';

interface ChangeRowProps {
  change: FileChange;
  /** The change is open until the person closes it. */
  isFirstOpen: boolean;
  controller: ChatController;
}

/** Shows one file change: the file, what was done, how much, by whom and when; open, the diff and the button that undoes or redoes the change. */
export function ChangeRow({ change, isFirstOpen, controller }: ChangeRowProps) {
  const messages = useMessages();
  const texts = changesTexts[useLocale()];
  const undo = useUndo(changeStateOf(change), direction => controller.calls.moveListed(direction, change));
  const { path, diff, tool, at, origin, agent = '' } = change;
  return (
    <li data-testid="file-change" data-undone={undo.isUndone}>
      <details open={isFirstOpen}>
        <summary>
          <code>{path}</code>
          <Counts change={change} />
          {undo.isUndone && <span class="tag">{messages.undone}</span>}
          {origin && (
            <span class="tag" data-testid="change-origin">
              {origin === 'crew' ? texts.byMember(agent) : texts.copied}
            </span>
          )}
          <span class="change-facts">
            {labelOf({ name: tool }, messages)} · <RelativeTime iso={at} />
          </span>
          <span class="chevron">
            <Icon name="chevron" />
          </span>
        </summary>
        {diff ? <DiffView diff={diff} /> : <p class="change-note">{texts.noDiff}</p>}
        {change.undo && <UndoPart undo={undo} />}
      </details>
    </li>
  );
}

/** Counts the added and removed lines, when that is known. */
function Counts({ change: { added, removed } }: { change: FileChange }) {
  if (added === undefined || removed === undefined) return null;
  return (
    <span class="diff-count" data-testid="change-counts">
      <span class="plus">{`+${added}`}</span> <span class="minus">{`−${removed}`}</span>
    </span>
  );
}
