import type { FileChangeCall } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { DiffView } from '../../components/basic/diff_view';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { isObject } from '../../components/calls/approval_arguments';
import { labelOf } from '../../components/calls/tool_label';
import { ResultBox } from '../../components/result/result_box';
import { UndoPart, useUndo } from '../../components/transcript/undo_part';
import { useLocale, useMessages } from '../../i18n/language_context';
import { changeStateOf } from '../../state/file_changes';
import { changesTexts } from './changes_texts';

interface ChangeRowProps {
  change: FileChangeCall;
  /** The change is open until the person closes it. */
  isFirstOpen: boolean;
  controller: ChatController;
}

/** Shows one file change: the file, what was done and when; open, the diff and the button that undoes or redoes the change. */
export function ChangeRow({ change, isFirstOpen, controller }: ChangeRowProps) {
  const messages = useMessages();
  const undo = useUndo(changeStateOf(change), direction => controller.calls.moveListed(direction, change));
  const args = readArguments(change.args);
  const path = textIn(change.details, 'path') ?? textIn(args, 'path') ?? '';
  return (
    <li data-testid="file-change" data-undone={undo.isUndone}>
      <details open={isFirstOpen}>
        <summary>
          <code>{path}</code>
          {undo.isUndone && <span class="tag">{messages.undone}</span>}
          <span class="change-facts">
            {labelOf({ name: change.tool }, messages)} · <RelativeTime iso={change.createdAt} />
          </span>
          <span class="chevron">
            <Icon name="chevron" />
          </span>
        </summary>
        <Content change={change} args={args} />
        {change.details?.['undoable'] === true && <UndoPart undo={undo} />}
      </details>
    </li>
  );
}

/** Shows the diff of a change. A written file has none, so its text is shown. */
function Content({ change, args }: { change: FileChangeCall; args: unknown }) {
  const texts = changesTexts[useLocale()];
  const diff = textIn(change.details, 'diff');
  const content = textIn(args, 'content');
  if (diff) return <DiffView diff={diff} />;
  if (content === undefined) return change.tool === 'file_delete' ? null : <p class="change-note">{texts.noDiff}</p>;
  return change.details?.['created'] === true ? <DiffView diff={asAdded(content)} /> : <ResultBox text={content} testId="file-content" />;
}

/** Returns the text of a new file as a diff that adds every line. */
function asAdded(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map(line => `+${line}`)].join('\n');
}

/** Reads the arguments. Undefined when they were clipped. */
function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textIn(fields: unknown, name: string): string | undefined {
  const value = isObject(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
