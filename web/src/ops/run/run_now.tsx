import { useNow } from '../../components/basic/use_now';
import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { StatusTag } from '../parts/status_tag';
import { runTexts } from './run_texts';
import type { LiveRunRow } from './run_types';

/** Shows what a run does at this moment: its pending call with the command, and why it counts as stuck. */
export function RunNow({ live }: { live: LiveRunRow }) {
  const locale = useLocale();
  const texts = runTexts[locale];
  const now = useNow(1_000);
  const { step, state, isStuck, lastEventAt, lastFailure } = live;
  const ageOf = (iso: string) => formatDuration(Math.max(0, now - Date.parse(iso)), locale);
  return (
    <section class={isStuck ? 'run-now stuck' : 'run-now'} aria-labelledby="now-heading" data-testid="run-now" data-stuck={isStuck}>
      <h2 id="now-heading">{texts.now}</h2>
      <p>
        {isStuck && lastEventAt !== undefined && (
          <>
            <StatusTag tone="bad">{texts.stuck}</StatusTag> {texts.stuckFor(ageOf(lastEventAt))}{' '}
          </>
        )}
        {step
          ? texts.nowSteps[step.kind](ageOf(step.since), step.name) + texts.nowEnds[step.command === undefined ? 'alone' : 'command']
          : texts.nowQueued}
      </p>
      {step?.command !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls by keyboard
        <pre tabIndex={0} class="run-command" data-testid="pending-command">
          {step.command}
        </pre>
      )}
      {isStuck && <p class="field-note">{texts.stuckHelp[state === 'tool' ? 'tool' : 'model']}</p>}
      {lastFailure && <p class="field-note">{texts.lastFailure(lastFailure.name, lastFailure.code, ageOf(lastFailure.at))}</p>}
    </section>
  );
}
