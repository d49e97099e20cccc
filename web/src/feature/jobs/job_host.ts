import type { ChatController } from '../../chat/chat_controller';
import type { Store } from '../../platform/store';
import type { AppState } from '../../state/app_state';

/** What the jobs need of the page that shows them: the chat page or the operator pages. */
export interface JobHost extends Pick<ChatController, 'loadAgents' | 'notify' | 'openMessage' | 'openView'> {
  readonly store: Store<Pick<AppState, 'agents' | 'me' | 'peopleNames'>>;
  readonly sessions: { refreshSoon(): void };
  /** Address of the page of a run; absent where a run opens in its chat. */
  runHref?(runId: string): string;
}
