import type { MutableRef } from 'preact/hooks';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { listPrompts, type Prompt } from '../api/prompt_api';
import type { ChatController } from '../chat/chat_controller';
import { choosePrompt } from '../chat/insert_prompt';
import { Icon, type IconName } from '../components/basic/icon';
import { useLocale } from '../i18n/language_context';
import { EMPTY_DRAFT } from '../platform/drafts';
import { actionTexts } from './action_texts';
import { actionsByCommand, useActions } from './actions';
import './commands.css';

/** Prompts in the list. */
const MAX_PROMPTS = 8;
/** Characters of a prompt beside its name. */
const MAX_NOTE = 100;
const PREFIX = /^[a-z0-9-]*$/;

interface CommandListProps {
  controller: ChatController;
  /** What stands behind the slash. */
  typed: string;
  /** Id of the list; its options have it with their number. */
  id: string;
  /** Gets what takes the keys of the message field; it returns true when the key belonged to the list. */
  keys: MutableRef<((event: KeyboardEvent) => boolean) | undefined>;
  /** Hears which option the keys have chosen. */
  onActive: (id: string | undefined) => void;
  onClose: () => void;
}

interface Row {
  key: string;
  command: string;
  note: string;
  icon: IconName;
  run: () => void;
}

/** Prompts of the library and actions of the page whose name is typed behind a slash. The message field keeps the focus. */
export function CommandList({ controller, typed, id, keys, onActive, onClose }: CommandListProps) {
  const texts = actionTexts[useLocale()];
  const rows = useRows(controller, typed);
  const [chosen, setChosen] = useState(0);
  useLayoutEffect(() => setChosen(0), [typed]);
  const index = Math.min(chosen, rows.length - 1);
  const activeId = rows.length > 0 ? `${id}-${index}` : undefined;
  useLayoutEffect(() => onActive(activeId), [activeId]);
  const take = (row: Row) => {
    onClose();
    row.run();
  };
  keys.current = event => {
    const row = rows[index];
    if (!row) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = (index + step + rows.length) % rows.length;
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Escape') onClose();
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') take(row);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  if (rows.length === 0) return null;
  return (
    <div id={id} class="mention-list command-list" role="listbox" aria-label={texts.list} data-testid="command-list">
      {rows.map((row, i) => (
        <div
          key={row.key}
          id={`${id}-${i}`}
          class="mention-row"
          role="option"
          tabIndex={-1}
          aria-selected={i === index}
          data-testid="command"
          data-command={row.command}
          // A click would take the focus from the field.
          onMouseDown={event => {
            event.preventDefault();
            take(row);
          }}
        >
          <Icon name={row.icon} />
          <span class="command-name">/{row.command}</span>
          <span class="command-note">{row.note}</span>
        </div>
      ))}
    </div>
  );
}

function useRows(controller: ChatController, typed: string): Row[] {
  const prompts = usePrompts(typed.toLowerCase());
  const actions = actionsByCommand(useActions(controller, controller.preferences), typed);
  return [
    ...prompts.map(prompt => ({
      key: prompt.id,
      command: prompt.name,
      note: prompt.text.replace(/\s+/g, ' ').slice(0, MAX_NOTE),
      icon: 'prompts' as const,
      run: () => choosePrompt(controller, prompt),
    })),
    ...actions.map(({ id, command, name, icon, run }) => ({
      key: id,
      command,
      note: name,
      icon,
      run: () => {
        // The action may open another chat; the command must not stay in the draft of this one.
        controller.setDraft(EMPTY_DRAFT);
        run();
      },
    })),
  ];
}

/** Prompts whose name begins with what is typed. Without an answer of the gateway there are none. */
function usePrompts(typed: string): readonly Prompt[] {
  const [found, setFound] = useState<readonly Prompt[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const reading = PREFIX.test(typed) ? listPrompts({ prefix: typed, limit: MAX_PROMPTS }) : Promise.resolve({ data: [] });
    reading.then(
      ({ data }) => isCurrent && setFound(data),
      () => isCurrent && setFound([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [typed]);
  // Earlier prompts stay until new ones arrive; only those that fit may be taken.
  return found.filter(({ name }) => name.startsWith(typed));
}
