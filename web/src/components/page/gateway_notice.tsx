import { useEffect, useState } from 'preact/hooks';
import type { ModelSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { joinSentences } from '../../i18n/join_sentences';
import { useLocale } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { useStore } from '../../platform/store';
import { Icon } from '../basic/icon';
import { gatewayTexts } from './gateway_texts';

type Trouble = 'store' | 'draining';

/** Interval of asking the gateway for its state, in milliseconds. */
const INTERVAL_MS = 15_000;
/** Code of a refusal of /readyz -> what it means for people who chat. */
const TROUBLES: Readonly<Record<string, Trouble>> = { store_unavailable: 'store', draining: 'draining' };

/** Says in plain words what does not work now, for people who chat. Shows nothing while all is well, or while the connection is lost. */
export function GatewayNotice({ controller }: { controller: ChatController }) {
  const locale = useLocale();
  const texts = gatewayTexts[locale];
  const isOnline = useStore(controller.store, state => state.connection === 'online');
  const models = useStore(controller.store, state => state.models);
  const trouble = useTrouble(controller);
  const isModelAway = models.length > 0 && models.every(({ state }) => state !== 'ok');
  if (!isOnline || (!trouble && !isModelAway)) return <div role="status" />;
  const retryAt = trouble ? undefined : firstRetryOf(models);
  const time = retryAt && new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(retryAt));
  return (
    <div class="banner" role="status" data-testid="gateway-notice" data-trouble={trouble ?? 'model'}>
      <Icon name="alert" />
      <span>{joinSentences(locale, texts[trouble ?? 'model'], time && texts.retried(time))}</span>
    </div>
  );
}

const firstRetryOf = (models: readonly ModelSummary[]): string | undefined => models.flatMap(({ retryAt }) => retryAt ?? []).sort()[0];

/** Asks at the beginning, at the interval, and when the person comes back to the page. */
function useTrouble(controller: ChatController): Trouble | undefined {
  const [trouble, setTrouble] = useState<Trouble>();
  useEffect(() => {
    const read = async () => {
      if (document.hidden) return;
      void controller.loadModels();
      // The connection banner says when the gateway is away.
      const answer = await fetch(`${ROOT}readyz`).catch(() => undefined);
      if (answer) setTrouble(answer.ok ? undefined : await troubleOf(answer));
    };
    void read();
    const timer = setInterval(() => void read(), INTERVAL_MS);
    const onShown = () => void read();
    document.addEventListener('visibilitychange', onShown);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [controller]);
  return trouble;
}

async function troubleOf(answer: Response): Promise<Trouble | undefined> {
  const body = (await answer.json().catch(() => undefined)) as { error?: { code?: string } } | undefined;
  return TROUBLES[body?.error?.code ?? ''];
}
