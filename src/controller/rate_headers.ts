/** Headers that say what rate limits leave: those of the IETF draft "RateLimit header fields for HTTP", and those that OpenAI sends. */
import type { RateState, TokenState } from '../service/limits/rate_limits';

const WINDOW_SECONDS = 60;

const nameOf = ({ scope }: RateState): string => (scope === 'key' ? '"default"' : '"tenant"');
const secondsOf = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/** Policy `default` counts the requests of the key, `tenant` those of its tenant. */
export function rateHeaders(states: readonly RateState[]): Record<string, string> {
  return {
    'ratelimit-policy': states.map(state => `${nameOf(state)};q=${state.limit};w=${WINDOW_SECONDS}`).join(', '),
    ratelimit: states.map(state => `${nameOf(state)};r=${state.remaining};t=${secondsOf(state.resetMs)}`).join(', '),
  };
}

/** The limit with the fewest requests left, and the tokens of the day when they are limited. */
export function openAiRateHeaders(states: readonly RateState[], tokens?: TokenState): Record<string, string> {
  const [tightest] = [...states].sort((a, b) => a.remaining - b.remaining);
  return { ...(tightest && openAiHeaders('requests', tightest)), ...(tokens && openAiHeaders('tokens', tokens)) };
}

function openAiHeaders(what: string, { limit, remaining, resetMs }: TokenState): Record<string, string> {
  return {
    [`x-ratelimit-limit-${what}`]: String(limit),
    [`x-ratelimit-remaining-${what}`]: String(remaining),
    [`x-ratelimit-reset-${what}`]: durationText(resetMs),
  };
}

/** As OpenAI writes durations: 6m0s, 12s. */
function durationText(milliseconds: number): string {
  const seconds = secondsOf(milliseconds);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds % 60}s`;
}
