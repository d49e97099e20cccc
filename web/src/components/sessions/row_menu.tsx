import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { isOfOthers } from '../../state/chat_people';
import { Menu, type MenuItem } from '../basic/menu';
import { ProjectDialog } from './project_dialog';

interface RowMenuProps {
  controller: ChatController;
  session: SessionSummary;
  anchor: HTMLElement | null;
  onRename: () => void;
  onRemove: () => void;
  onSelect: () => void;
  onClose: () => void;
}

/** What a person can do with one chat of the list. */
export function RowMenu({ controller, session, anchor, onRename, onRemove, onSelect, onClose }: RowMenuProps) {
  const messages = useMessages();
  const [isMoving, setMoving] = useState(false);
  const { id, pinned, archived, title, visibility } = session;
  const isOthers = useStore(controller.store, ({ me }) => isOfOthers(session, me));
  if (isMoving) return <ProjectDialog controller={controller} sessions={[session]} onClose={onClose} />;
  const change = (fields: { pinned?: boolean; archived?: boolean }) => () => void controller.sessions.change([id], fields);
  const changes: MenuItem[] = [
    { id: 'rename', name: messages.rename, icon: 'pencil', onChoose: onRename },
    { id: 'pin', name: pinned ? messages.unpin : messages.pin, icon: 'pin', onChoose: change({ pinned: !pinned }) },
    { id: 'move', name: messages.moveToProject, icon: 'list_dir', onChoose: () => setMoving(true) },
    { id: 'archive', name: archived ? messages.unarchive : messages.archive, icon: 'archive', onChoose: change({ archived: !archived }) },
  ];
  const removal: MenuItem = { id: 'delete', name: messages.remove, icon: 'trash', isDangerous: true, onChoose: onRemove };
  // A chat that another person shares with some people is changed by its drivers alone, in the chat.
  const mayChange = !isOthers || visibility === 'tenant';
  return (
    <Menu
      label={messages.chatMenu(title || messages.untitled)}
      anchor={anchor}
      onClose={isChosen => isChosen !== 'move' && onClose()}
      items={[
        ...(mayChange ? changes : []),
        { id: 'select', name: messages.selectChats, icon: 'check', onChoose: onSelect },
        ...(isOthers ? [] : [removal]),
      ]}
    />
  );
}
