import { useEffect, useState } from 'preact/hooks';
import type { FileRow } from '../../api/file_api';
import type { ChatController } from '../../chat/chat_controller';
import { findBegunMention, toMention } from '../../markdown/mentions';
import { typeInto } from '../../platform/drafts';

/** Rows of the list. */
const MAX_ROWS = 8;
export interface Mention {
  /** Files and directories whose path begins with what is typed. Empty: the list is closed. */
  rows: readonly FileRow[];
  /** Index of the row that Enter takes. */
  chosen: number;
  /** Reads what is typed before the cursor. */
  follow(field: HTMLTextAreaElement): void;
  take(row: FileRow): void;
  close(): void;
  /** Returns true when the key belonged to the list. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** Completes the path of a file that a person types behind an @. */
export function useMention(field: { current: HTMLTextAreaElement | null }, controller: ChatController): Mention {
  const [typed, setTyped] = useState<string>();
  const [found, setFound] = useState<{ typed: string; rows: readonly FileRow[] }>();
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    if (typed !== undefined) void findFiles(typed).then(rows => isCurrent && setFound({ typed, rows }));
    setChosen(0);
    return () => {
      isCurrent = false;
    };
  }, [typed]);
  const rows = typed !== undefined && found?.typed === typed ? found.rows : [];
  const close = () => setTyped(undefined);
  const take = (row: FileRow) => {
    const element = field.current;
    if (!element || typed === undefined || readTyped(element) !== typed) return close();
    const isDirectory = row.type === 'directory';
    const { draft } = controller.store.get();
    const end = element.selectionStart;
    const named = isDirectory ? `@${row.path}/` : `${toMention(row.path)} `;
    // The sign stands before what is typed.
    const before = draft.text.slice(0, end - typed.length - 1) + named;
    controller.setDraft(typeInto(draft, before + draft.text.slice(end), undefined));
    setTyped(isDirectory ? `${row.path}/` : undefined);
    // The field has the new text after the next paint.
    requestAnimationFrame(() => element.setSelectionRange(before.length, before.length));
    element.focus({ preventScroll: true });
  };
  return {
    rows,
    chosen,
    follow: element => setTyped(readTyped(element)),
    take,
    close,
    onKeyDown: event => {
      const row = rows[chosen];
      if (!row || !field.current || readTyped(field.current) !== typed) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) setChosen((chosen + step + rows.length) % rows.length);
      else if (event.key === 'Escape') close();
      else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') take(row);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

const readTyped = ({ value, selectionStart }: HTMLTextAreaElement) => findBegunMention(value.slice(0, selectionStart));

/** Never rejects: without an answer there is nothing to choose. */
async function findFiles(typed: string): Promise<readonly FileRow[]> {
  const slash = typed.lastIndexOf('/');
  const begun = typed.slice(slash + 1).toLowerCase();
  try {
    const { listFiles } = await import('../../api/file_api');
    const { data } = await listFiles(typed.slice(0, Math.max(0, slash)));
    return data
      .filter(({ name, type }) => (type !== 'directory' || !/\s/.test(name)) && name.toLowerCase().startsWith(begun))
      .slice(0, MAX_ROWS);
  } catch {
    return [];
  }
}
