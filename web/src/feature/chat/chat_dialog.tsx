import type { ChatController } from '../../chat/chat_controller';
import type { ChatDialogName } from '../../state/app_state';
import { ImportDialog } from './import_dialog';
import { InstructionsDialog } from './instructions_dialog';
import { PeopleDialog } from './people_dialog';
import { ShareDialog } from './share_dialog';

const DIALOGS = { instructions: InstructionsDialog, people: PeopleDialog, share: ShareDialog, import: ImportDialog } as const;

interface ChatDialogProps {
  name: ChatDialogName;
  controller: ChatController;
  onClose: () => void;
}

/** Shows a dialog about the open chat. */
export function ChatDialog({ name, controller, onClose }: ChatDialogProps) {
  const Dialog = DIALOGS[name];
  return <Dialog controller={controller} onClose={onClose} />;
}
