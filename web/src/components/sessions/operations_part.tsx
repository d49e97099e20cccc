import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { Icon } from '../basic/icon';
import { operationsTexts } from './operations_texts';

/** Interval of asking the gateway for its state, in milliseconds. */
const INTERVAL_MS = 60_000;

/** The way from the chat to the operator pages, and a quiet line when the gateway needs attention. For people who may see those pages. */
export function OperationsPart() {
  const texts = operationsTexts[useLocale()];
  const problems = useProblems();
  return (
    <>
      <a class="view-link" href={`${ROOT}ops`} data-testid="open-ops">
        <Icon name="operations" />
        {texts.operations}
      </a>
      {problems > 0 && (
        <p class="rail-warning" role="status" data-testid="degraded">
          <a class="view-link" href={`${ROOT}ops`}>
            <Icon name="alert" />
            {texts.degraded(problems)}
          </a>
        </p>
      )}
    </>
  );
}

/** Counts the warnings of the gateway; a gateway that takes no runs counts as one. */
function useProblems(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const read = async () => {
      // The connection banner says when the gateway is away.
      const answer = await fetch(`${ROOT}readyz`).catch(() => undefined);
      if (!answer) return;
      const state = answer.ok ? ((await answer.json()) as { warnings?: readonly string[] }) : undefined;
      setCount(state ? (state.warnings?.length ?? 0) : 1);
    };
    void read();
    const timer = setInterval(() => document.hidden || void read(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return count;
}
