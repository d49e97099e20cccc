/** Headers that say what rate limits leave, of the IETF draft "RateLimit header fields for HTTP". */
import type { RateState } from '../service/limits/rate_limits';

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
