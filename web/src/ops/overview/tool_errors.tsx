import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';
import { formatCount } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { historyTexts } from '../history/history_texts';
import { formatShare } from '../parts/format_figures';
import { OpsLink } from '../parts/ops_link';
import { useResource } from '../parts/use_resource';

const MAX_SHOWN = 8;
const REFRESH_MS = 30_000;

/** Share of failed calls of the tools that fail, since the start of the gateway. Nothing while no tool has failed. */
export function ToolErrors() {
  const locale = useLocale();
  const texts = historyTexts[locale];
  const tools = useResource('tools', () => callRest<Answer<'OpsTools'>>('GET', '/ops/tools'), REFRESH_MS);
  const failing = (tools.data?.tools ?? [])
    .filter(({ errors }) => errors > 0)
    .map(({ name, calls, errors }) => ({ name, calls, share: errors / Math.max(1, calls) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_SHOWN);
  if (failing.length === 0) return null;
  return (
    <figure class="chart" aria-label={texts.toolErrors} data-testid="tool-errors">
      <figcaption>
        <OpsLink screen="tools">{texts.toolErrors}</OpsLink>
      </figcaption>
      <ul class="bar-list">
        {failing.map(({ name, calls, share }) => (
          <li key={name}>
            <OpsLink screen="tools" query={{ q: name }}>
              {name}
            </OpsLink>
            <span class="bar-track" aria-hidden="true">
              <span class="bar-value" style={{ width: `${share * 100}%` }} />
            </span>
            <span>{texts.shareOf(formatShare(share, locale), formatCount(calls, locale))}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
