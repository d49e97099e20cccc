import { useEffect } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { lazy } from '../basic/lazy';
import { Logo } from '../basic/logo';

const ConnectPart = lazy(async () => (await import('../../feature/connect_model/connect_part')).ConnectPart);

export function EmptyState({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const info = useStore(controller.store, state => state.info);
  const isOperator = useScope('operator');
  if (!useScope('chat')) {
    return (
      <div class="empty" data-testid="cannot-chat">
        <Logo />
        <p>{messages.cannotChat}</p>
      </div>
    );
  }
  return (
    <div class="empty" data-testid="empty-state">
      <Logo />
      <h2>{messages.emptyTitle}</h2>
      <p>{messages.emptyText}</p>
      <Examples controller={controller} />
      {info?.sandbox?.kind === 'none' && (
        <p class="demo-note" data-testid="no-sandbox">
          {messages.noSandboxExplanation}
        </p>
      )}
      {info?.model.demo && <p class="demo-note">{messages.demoExplanation}</p>}
      {info?.model.demo && isOperator && <ConnectPart controller={controller} />}
    </div>
  );
}

/** The agent that answers in a new chat which names none. */
const DEFAULT_AGENT = 'default';

/** First messages, one click each: those that the demo knows, or those of the agent's profile. */
function Examples({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const model = useStore(controller.store, state => state.info?.model);
  const agents = useStore(controller.store, state => state.agents);
  useEffect(() => void controller.loadAgents(), [controller]);
  const agent = useStore(controller.store, state => state.agent ?? DEFAULT_AGENT);
  const suggestions = agents?.find(({ name }) => name === agent)?.suggestions ?? [];
  const examples = model?.demo ? messages.examples : model ? suggestions : [];
  if (examples.length === 0) return null;
  return (
    <ul class="examples">
      {examples.map(example => (
        <li key={example}>
          <button type="button" data-testid="example" onClick={() => controller.send(example)}>
            {example}
          </button>
        </li>
      ))}
    </ul>
  );
}
