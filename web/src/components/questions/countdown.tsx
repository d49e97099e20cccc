import { useState } from 'preact/hooks';
import { formatCountdown } from '../../i18n/format';
import { useMessages } from '../../i18n/language_context';
import { Icon } from '../basic/icon';
import { useNow } from '../basic/use_now';

/** The card offers more time when less than this is left. */
const EXTEND_BELOW_MS = 60_000;
const REFRESH_MS = 500;

interface CountdownProps {
  item: { requestId: string; expiresAt: string };
  clockOffsetMs: number;
  onExtend: (requestId: string) => Promise<void>;
  /** Prefix of the test ids. */
  testIds: string;
}

/** Shows the time that is left for an answer, and a button for more time when it is short. */
export function Countdown({ item, clockOffsetMs, onExtend, testIds }: CountdownProps) {
  const messages = useMessages();
  const [extending, setExtending] = useState(false);
  const now = useNow(REFRESH_MS);
  const left = Date.parse(item.expiresAt) - (now + clockOffsetMs);
  if (Number.isNaN(left)) return null;
  const isShort = left < EXTEND_BELOW_MS;
  return (
    <span class={isShort ? 'countdown short' : 'countdown'}>
      {isShort && left > 0 && (
        <button
          type="button"
          class="link-button"
          data-testid={`${testIds}-extend`}
          disabled={extending}
          onClick={async () => {
            setExtending(true);
            await onExtend(item.requestId).catch(() => undefined);
            setExtending(false);
          }}
        >
          {messages.moreTime}
        </button>
      )}
      <span role="timer" data-testid={`${testIds}-countdown`} title={messages.timeLeft(formatCountdown(left))}>
        <Icon name="clock" />
        {formatCountdown(left)}
      </span>
    </span>
  );
}
