import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { findCommand } from '../../chat/command_text';
import { lazy } from '../basic/lazy';

const CommandList = lazy(async () => (await import('../../commands/command_list')).CommandList);

interface Commands {
  /** The list; undefined while it is closed. */
  list?: VNode;
  /** Ids of the list and of its chosen option, for screen readers; absent while the list has no option. */
  listId?: string;
  activeId?: string;
  /** Opens the list for a text that is a command. */
  follow(text: string): void;
  close(): void;
  /** Returns true when the key belonged to the list. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** The commands behind a slash at the beginning of the message field. */
export function useCommands(controller: ChatController, text: string): Commands {
  const id = useId();
  const [openFor, setOpenFor] = useState<string>();
  const [activeId, setActiveId] = useState<string>();
  const keys = useRef<(event: KeyboardEvent) => boolean>();
  const close = () => setOpenFor(undefined);
  const typed = openFor === text ? findCommand(text) : undefined;
  if (typed === undefined) return { follow: setOpenFor, close, onKeyDown: () => false };
  return {
    list: <CommandList controller={controller} typed={typed} id={id} keys={keys} onActive={setActiveId} onClose={close} />,
    listId: activeId && id,
    activeId,
    follow: setOpenFor,
    close,
    onKeyDown: event => keys.current?.(event) === true,
  };
}
