import type { ChatController } from './chat_controller';

export interface ViewProps {
  controller: ChatController;
  /** The thing that is open inside the view, from the address. */
  item: string | undefined;
}
