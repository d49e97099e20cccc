import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'calm';

const SIGNS: Record<Tone, string> = { good: '✓', warn: '!', bad: '✕', busy: '…', calm: '–' };

/** A state in words with a sign, so that it does not depend on colour. */
export function StatusTag({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`state-tag ${tone}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {children}
    </span>
  );
}

const RUN_TONES: Readonly<Record<string, Tone>> = {
  queued: 'calm',
  running: 'busy',
  waiting: 'warn',
  completed: 'good',
  incomplete: 'warn',
  failed: 'bad',
  cancelled: 'calm',
};

export const toneOfRun = (status: string): Tone => RUN_TONES[status] ?? 'calm';
