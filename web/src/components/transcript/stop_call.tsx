import { useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { Icon } from '../basic/icon';

interface StopCallProps {
  /** Title of the tool. */
  label: string;
  /** Stops the running call. Never rejects; resolves when the gateway has answered. */
  onStop: () => Promise<void>;
}

/** Stops one running tool call. The agent goes on without its result. */
export function StopCall({ label, onStop }: StopCallProps) {
  const messages = useMessages();
  const [isStopping, setStopping] = useState(false);
  if (!useScope('chat')) return null;
  const stop = async () => {
    setStopping(true);
    await onStop();
    setStopping(false);
  };
  return (
    <button
      type="button"
      class="button stop-call"
      data-testid="stop-call"
      aria-label={messages.stopCall(label)}
      title={messages.stopCallHint}
      disabled={isStopping}
      onClick={() => void stop()}
    >
      <Icon name="stop" />
      <span>{isStopping ? messages.stopping : messages.stop}</span>
    </button>
  );
}
