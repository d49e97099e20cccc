import type { RunEstimate } from '../../api/price_api';
import type { ChatController } from '../../chat/chat_controller';
import { formatCost, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { pairTexts } from '../../i18n/pair_texts';
import type { Locale } from '../../platform/preferences';
import { useRunPrice } from './use_run_price';

/** Beside the component, so that pages without prices load none of them. */
const priceTexts = pairTexts({
  en: {
    known: (price: string, runs: number) => `about ${price}, from ${runs} similar runs`,
    unknown: 'cost unknown yet: too few similar runs',
  },
  'zh-CN': {
    known: (price, runs) => `约 ${price}（依据 ${runs} 个类似的运行）`,
    unknown: '费用未知：类似的运行太少',
  },
});

/** What the message in the field will likely cost and take, behind the hint. */
export function RunPrice({ controller }: { controller: ChatController }) {
  const locale = useLocale();
  const texts = priceTexts[locale];
  const price = useRunPrice(controller);
  if (!price) return null;
  const { estimate } = price;
  return (
    <span data-testid="run-price">
      {' · '}
      {estimate ? texts.known(shownPrice(estimate, locale), estimate.basedOn) : texts.unknown}
    </span>
  );
}

function shownPrice({ costUsd, ms }: RunEstimate, locale: Locale): string {
  const time = shownRange(ms, value => formatDuration(value, locale));
  return costUsd ? `${shownRange(costUsd, value => formatCost(value, locale))}, ${time}` : time;
}

function shownRange({ p50, p90 }: { p50: number; p90: number }, format: (value: number) => string): string {
  const [low, high] = [format(p50), format(p90)];
  return low === high ? low : `${low}–${high}`;
}
